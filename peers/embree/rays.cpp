// Embree on the rays of the benchmark, one at a time on one core. Requests on stdin, one line each, answers on stdout:
//   load MESH RAYS OUT   reads both files; answers "ok TRIANGLES RAYS"
//   closest | robust     rtcIntersect1 for all rays; answers "SECONDS HITS MEAN_RANGE", writes the ranges (f32) to OUT
//   any                  rtcOccluded1 for all rays; answers "SECONDS HITS"
// MESH: u64 vertices, u64 faces, f64 coordinates, u32 indices. RAYS: f64 origin, direction and range of each.
#include <embree3/rtcore.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <time.h>
#include <vector>

namespace {

struct Input {
    float origin[3], direction[3], range;
};

template <class T>
std::vector<T> read_all(std::ifstream& file, size_t count) {
    std::vector<T> values(count);
    file.read(reinterpret_cast<char*>(values.data()), std::streamsize(count * sizeof(T)));
    return values;
}

RTCScene build(RTCDevice device, const std::vector<double>& points, const std::vector<uint32_t>& corners, RTCSceneFlags flags) {
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, flags);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* to = static_cast<float*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), points.size() / 3));
    for (size_t i = 0; i < points.size(); ++i) to[i] = float(points[i]);
    auto* indices = static_cast<uint32_t*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), corners.size() / 3));
    for (size_t i = 0; i < corners.size(); ++i) indices[i] = corners[i];
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
}

RTCRay ray_of(const Input& in) {
    RTCRay ray{};
    ray.org_x = in.origin[0];
    ray.org_y = in.origin[1];
    ray.org_z = in.origin[2];
    ray.dir_x = in.direction[0];
    ray.dir_y = in.direction[1];
    ray.dir_z = in.direction[2];
    ray.tnear = 0.0f;
    ray.tfar = in.range;
    ray.mask = ~0u;
    return ray;
}

}  // namespace

int main() {
    RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    if (!device) return 1;
    std::vector<Input> rays;
    std::vector<float> ranges;
    std::string out;
    RTCScene fast = nullptr, robust = nullptr;
    auto now = [] {
        timespec time;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
    };
    auto since = [&](double start) { return now() - start; };
    std::string request;
    while (std::cin >> request) {
        if (request == "load") {
            std::string mesh_path, ray_path;
            std::cin >> mesh_path >> ray_path >> out;
            std::ifstream mesh(mesh_path, std::ios::binary);
            auto counts = read_all<uint64_t>(mesh, 2);
            auto points = read_all<double>(mesh, 3 * counts[0]);
            auto corners = read_all<uint32_t>(mesh, 3 * counts[1]);
            std::ifstream file(ray_path, std::ios::binary | std::ios::ate);
            size_t count = size_t(file.tellg()) / (7 * sizeof(double));
            file.seekg(0);
            auto numbers = read_all<double>(file, 7 * count);
            rays.clear();
            for (size_t i = 0; i < count; ++i) {
                const double* n = &numbers[7 * i];
                rays.push_back({{float(n[0]), float(n[1]), float(n[2])},
                                {float(n[3]), float(n[4]), float(n[5])},
                                float(n[6])});
            }
            ranges.assign(count, 0.0f);
            if (fast) rtcReleaseScene(fast);
            if (robust) rtcReleaseScene(robust);
            fast = build(device, points, corners, RTC_SCENE_FLAG_NONE);
            robust = build(device, points, corners, RTC_SCENE_FLAG_ROBUST);
            std::printf("ok %zu %zu\n", corners.size() / 3, count);
        } else if (request == "any") {
            size_t hits = 0;
            auto start = now();
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            for (const Input& in : rays) {
                RTCRay ray = ray_of(in);
                rtcOccluded1(fast, &context, &ray);
                hits += ray.tfar < 0.0f;
            }
            std::printf("%.9f %zu\n", since(start), hits);
        } else {
            RTCScene scene = request == "robust" ? robust : fast;
            size_t hits = 0;
            double sum = 0.0;
            auto start = now();
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            for (size_t i = 0; i < rays.size(); ++i) {
                RTCRayHit ray{};
                ray.ray = ray_of(rays[i]);
                ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
                ray.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
                rtcIntersect1(scene, &context, &ray);
                bool is_hit = ray.hit.geomID != RTC_INVALID_GEOMETRY_ID;
                ranges[i] = is_hit ? ray.ray.tfar : std::numeric_limits<float>::infinity();
                hits += is_hit;
                sum += is_hit ? double(ray.ray.tfar) : 0.0;
            }
            double seconds = since(start);
            std::ofstream file(out, std::ios::binary);
            file.write(reinterpret_cast<const char*>(ranges.data()), std::streamsize(ranges.size() * sizeof(float)));
            file.close();
            std::printf("%.9f %zu %.9f\n", seconds, hits, hits ? sum / double(hits) : 0.0);
        }
        std::fflush(stdout);
    }
    if (fast) rtcReleaseScene(fast);
    if (robust) rtcReleaseScene(robust);
    rtcReleaseDevice(device);
}
