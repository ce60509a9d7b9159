// Coal as a peer for two meshes: one request per line on stdin, one answer per line on stdout.
//
//   load A B      two mesh files: u64 vertices, u64 faces, f64 coordinates, u32 corners  -> "SECONDS" of both trees
//   distance P    poses of b: f64 rows w x y z of a quaternion, translation               -> "SECONDS D D D ..."
//   collide P     the same poses                                                          -> "SECONDS 0|1 ..."
//
// Seconds are the sum over all poses, taken in here, so that the pipe does not count.

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;
using Model = coal::BVHModel<coal::OBBRSS>;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Arrays {
    std::vector<coal::Vec3s> vertices;
    std::vector<coal::Triangle> faces;
};

static Arrays read_mesh(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    uint64_t counts[2];
    file.read(reinterpret_cast<char*>(counts), sizeof counts);
    std::vector<double> coordinates(3 * counts[0]);
    std::vector<uint32_t> corners(3 * counts[1]);
    file.read(reinterpret_cast<char*>(coordinates.data()), std::streamsize(8 * coordinates.size()));
    file.read(reinterpret_cast<char*>(corners.data()), std::streamsize(4 * corners.size()));
    Arrays out;
    for (size_t i = 0; i < coordinates.size(); i += 3)
        out.vertices.emplace_back(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
    for (size_t i = 0; i < corners.size(); i += 3)
        out.faces.emplace_back(corners[i], corners[i + 1], corners[i + 2]);
    return out;
}

static std::unique_ptr<Model> build(const Arrays& arrays) {
    auto model = std::make_unique<Model>();
    model->beginModel();
    model->addSubModel(arrays.vertices, arrays.faces);
    model->endModel();
    return model;
}

static std::vector<coal::Transform3s> read_poses(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<coal::Transform3s> poses;
    double row[7];
    while (file.read(reinterpret_cast<char*>(row), sizeof row)) {
        Eigen::Quaterniond turn(row[0], row[1], row[2], row[3]);
        poses.emplace_back(turn.toRotationMatrix(), coal::Vec3s(row[4], row[5], row[6]));
    }
    return poses;
}

int main() {
    std::unique_ptr<Model> a, b;
    const coal::Transform3s here;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string question, first, second;
        words >> question >> first >> second;
        if (question == "load") {
            const Arrays of_a = read_mesh(first), of_b = read_mesh(second);
            const auto start = Clock::now();
            a = build(of_a);
            b = build(of_b);
            std::printf("%.9g\n", since(start));
        } else {
            const auto poses = read_poses(first);
            std::vector<double> answers;
            answers.reserve(poses.size());
            const auto start = Clock::now();
            for (const auto& pose : poses) {
                if (question == "distance") {
                    coal::DistanceRequest request;
                    request.enable_signed_distance = false;
                    coal::DistanceResult result;
                    answers.push_back(coal::distance(a.get(), here, b.get(), pose, request, result));
                } else {
                    coal::CollisionRequest request;
                    coal::CollisionResult result;
                    answers.push_back(coal::collide(a.get(), here, b.get(), pose, request, result) > 0);
                }
            }
            std::printf("%.9g", since(start));
            for (double x : answers) std::printf(" %.17g", x);
            std::printf("\n");
        }
        std::fflush(stdout);
    }
}
