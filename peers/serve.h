// What the C++ peers of the queries have in common: one request per line on stdin, one answer per line on stdout.
//
//   load A B              two mesh files, made into trees                          -> "SECONDS" of both trees
//   hulls A B             two closed convex mesh files                             -> "SECONDS" of both bodies
//   QUESTION P BATCH      poses of b from a file, in batches of that many          -> "k SECONDS*k ANSWER*n"
//
// A mesh file: u64 vertices, u64 faces, f64 coordinates, u32 corners. A pose file: f64 rows w x y z of a quaternion,
// then the translation. Seconds are processor time of this thread, one number per batch, so that neither the pipe nor
// other work on the machine counts.
//
// A peer is a class with Pose, pose(row), load(a, b), hulls(a, b) and ask(question), which gives a function of a pose.
#pragma once

#include <time.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Arrays {
    std::vector<double> coordinates;
    std::vector<uint32_t> corners;
};

inline double processor_seconds() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

inline Arrays read_mesh(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    uint64_t counts[2] = {0, 0};
    file.read(reinterpret_cast<char*>(counts), sizeof counts);
    Arrays out{std::vector<double>(3 * counts[0]), std::vector<uint32_t>(3 * counts[1])};
    file.read(reinterpret_cast<char*>(out.coordinates.data()), std::streamsize(8 * out.coordinates.size()));
    file.read(reinterpret_cast<char*>(out.corners.data()), std::streamsize(4 * out.corners.size()));
    return out;
}

template <class Library>
std::vector<typename Library::Pose> read_poses(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<typename Library::Pose> poses;
    double row[7];
    while (file.read(reinterpret_cast<char*>(row), sizeof row)) poses.push_back(Library::pose(row));
    return poses;
}

template <class Library>
void serve() {
    Library library;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string question, first, second;
        words >> question >> first >> second;
        if (question == "load" || question == "hulls") {
            const Arrays a = read_mesh(first), b = read_mesh(second);
            std::printf("%.9g\n", question == "load" ? library.load(a, b) : library.hulls(a, b));
        } else {
            const auto poses = read_poses<Library>(first);
            const size_t batch = std::stoul(second);
            std::vector<double> seconds, answers;
            answers.reserve(poses.size());
            const auto ask = library.ask(question);
            for (size_t from = 0; from < poses.size(); from += batch) {
                const double start = processor_seconds();
                for (size_t i = from; i < std::min(from + batch, poses.size()); ++i) answers.push_back(ask(poses[i]));
                seconds.push_back(processor_seconds() - start);
            }
            std::printf("%zu", seconds.size());
            for (double x : seconds) std::printf(" %.9g", x);
            for (double x : answers) std::printf(" %.17g", x);
            std::printf("\n");
        }
        std::fflush(stdout);
    }
}
