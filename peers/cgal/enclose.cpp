// CGAL as a peer: one request per line on stdin, one answer per line on stdout.
//
//   load FILE     n little-endian f64 triples            -> "ok N"
//   sphere        smallest sphere of the points          -> "SECONDS RADIUS"
//   box           optimal_bounding_box, with the hull    -> "SECONDS VOLUME"
//
// The time is taken in here, so that the pipe does not count.

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Min_sphere_of_points_d_traits_3.h>
#include <CGAL/Min_sphere_of_spheres_d.h>
#include <CGAL/optimal_bounding_box.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <time.h>
#include <vector>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using SphereTraits = CGAL::Min_sphere_of_points_d_traits_3<Kernel, double, CGAL::Tag_true>;
using MinSphere = CGAL::Min_sphere_of_spheres_d<SphereTraits>;
// Processor time of this thread, as the peers are measured too.
static double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

static std::vector<Point> load(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<Point> points;
    double xyz[3];
    while (file.read(reinterpret_cast<char*>(xyz), sizeof xyz)) points.emplace_back(xyz[0], xyz[1], xyz[2]);
    return points;
}

static double radius_of_smallest_sphere(const std::vector<Point>& points) {
    MinSphere sphere(points.begin(), points.end());
    return CGAL::to_double(sphere.radius());
}

static double volume_of_optimal_box(const std::vector<Point>& points) {
    std::array<Point, 8> corners;
    CGAL::oriented_bounding_box(points, corners, CGAL::parameters::use_convex_hull(true));
    // Corners 1, 3 and 5 are the neighbours of corner 0.
    double squared = 1.0;
    for (int i : {1, 3, 5}) squared *= CGAL::squared_distance(corners[0], corners[i]);
    return std::sqrt(squared);
}

int main() {
    std::vector<Point> points;
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.rfind("load ", 0) == 0) {
            points = load(line.substr(5));
            std::printf("ok %zu\n", points.size());
        } else {
            const double start = now();
            double answer = line == "sphere" ? radius_of_smallest_sphere(points) : volume_of_optimal_box(points);
            const double seconds = now() - start;
            std::printf("%.9e %.17g\n", seconds, answer);
        }
        std::fflush(stdout);
    }
}
