// Coal has no continuous collision: conservative advancement over its distances, as a user would write it.
//
//   load A B            two mesh files, made into trees (see serve.h)                     -> "SECONDS"
//   advance M GAP       motions from a file, stopped when the distance is at most GAP      -> "1 SECONDS TIME*n"; 2 is free
//
// A motion: the pose of b (w x y z of a quaternion, then the translation), the unit axis, a point on it, the angle and the advance along it.

#include "../serve.h"

#include <coal/BVH/BVH_model.h>
#include <coal/distance.h>

#include <memory>

using Model = coal::BVHModel<coal::OBBRSS>;
using Pose = coal::Transform3s;
using coal::Vec3s;

static double build(const Arrays& in, std::unique_ptr<Model>& out) {
    std::vector<Vec3s> vertices;
    for (size_t i = 0; i < in.coordinates.size(); i += 3)
        vertices.emplace_back(in.coordinates[i], in.coordinates[i + 1], in.coordinates[i + 2]);
    std::vector<coal::Triangle> faces;
    for (size_t i = 0; i < in.corners.size(); i += 3)
        faces.emplace_back(in.corners[i], in.corners[i + 1], in.corners[i + 2]);
    const double start = processor_seconds();
    out = std::make_unique<Model>();
    out->beginModel();
    out->addSubModel(vertices, faces);
    out->endModel();
    return processor_seconds() - start;
}

// The time of contact, 2 if there is none. `radius`: of a ball about the origin of b.
static double advance(Model& a, Model& b, double radius, const double* row, double gap) {
    const Eigen::Quaterniond turn(row[0], row[1], row[2], row[3]);
    const Vec3s from(row[4], row[5], row[6]), axis(row[7], row[8], row[9]), point(row[10], row[11], row[12]);
    const Eigen::Matrix3d first = turn.toRotationMatrix();
    const double angle = row[13], along = row[14];
    const double reach = axis.cross(from - point).norm() + radius;
    const double speed = std::hypot(angle * reach, along);
    for (double t = 0; t <= 1;) {
        const Eigen::Matrix3d now = Eigen::AngleAxisd(angle * t, axis).toRotationMatrix();
        const Pose pose(now * first, now * (from - point) + point + along * t * axis);
        coal::DistanceRequest request;
        request.enable_signed_distance = false;
        coal::DistanceResult result;
        const double distance = coal::distance(&a, Pose(), &b, pose, request, result);
        if (distance <= gap) return t;
        t += distance / speed;
    }
    return 2;
}

int main() {
    std::unique_ptr<Model> a, b;
    double radius = 0;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string question, first, second;
        words >> question >> first >> second;
        if (question == "load") {
            const Arrays on_a = read_mesh(first), on_b = read_mesh(second);
            radius = 0;
            for (size_t i = 0; i < on_b.coordinates.size(); i += 3)
                radius = std::max(radius, Vec3s(on_b.coordinates[i], on_b.coordinates[i + 1], on_b.coordinates[i + 2]).norm());
            const double seconds = build(on_a, a) + build(on_b, b);
            std::printf("%.9g\n", seconds);
        } else {
            std::ifstream file(first, std::ios::binary);
            const double gap = std::stod(second);
            std::vector<double> rows, answers;
            double row[15];
            while (file.read(reinterpret_cast<char*>(row), sizeof row)) rows.insert(rows.end(), row, row + 15);
            const double start = processor_seconds();
            for (size_t i = 0; i < rows.size(); i += 15) answers.push_back(advance(*a, *b, radius, &rows[i], gap));
            std::printf("1 %.9g", processor_seconds() - start);
            for (double x : answers) std::printf(" %.17g", x);
            std::printf("\n");
        }
        std::fflush(stdout);
    }
}
