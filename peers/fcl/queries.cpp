// FCL as a peer for meshes and convex bodies; see serve.h for the requests.

#include "../serve.h"

#include <fcl/fcl.h>

#include <memory>

using Model = fcl::BVHModel<fcl::OBBRSSd>;

struct Fcl {
    using Pose = fcl::Transform3d;

    std::unique_ptr<Model> mesh_a, mesh_b;
    std::unique_ptr<fcl::Convexd> hull_a, hull_b;
    const Pose here = Pose::Identity();

    static Pose pose(const double* row) {
        Pose out = Pose::Identity();
        out.linear() = fcl::Quaterniond(row[0], row[1], row[2], row[3]).toRotationMatrix();
        out.translation() = fcl::Vector3d(row[4], row[5], row[6]);
        return out;
    }

    static std::vector<fcl::Vector3d> points(const Arrays& in) {
        std::vector<fcl::Vector3d> out;
        for (size_t i = 0; i < in.coordinates.size(); i += 3)
            out.emplace_back(in.coordinates[i], in.coordinates[i + 1], in.coordinates[i + 2]);
        return out;
    }

    static double build(const Arrays& in, std::unique_ptr<Model>& out) {
        const auto vertices = points(in);
        std::vector<fcl::Triangle> faces;
        for (size_t i = 0; i < in.corners.size(); i += 3)
            faces.emplace_back(in.corners[i], in.corners[i + 1], in.corners[i + 2]);
        const double start = processor_seconds();
        out = std::make_unique<Model>();
        out->beginModel();
        out->addSubModel(vertices, faces);
        out->endModel();
        return processor_seconds() - start;
    }

    double load(const Arrays& a, const Arrays& b) { return build(a, mesh_a) + build(b, mesh_b); }

    double hulls(const Arrays& a, const Arrays& b) {
        auto body = [](const Arrays& in) {
            auto vertices = std::make_shared<std::vector<fcl::Vector3d>>(points(in));
            auto faces = std::make_shared<std::vector<int>>();
            for (size_t i = 0; i < in.corners.size(); ++i) {
                if (i % 3 == 0) faces->push_back(3);
                faces->push_back(int(in.corners[i]));
            }
            return std::make_unique<fcl::Convexd>(vertices, int(in.corners.size() / 3), faces, true);
        };
        const double start = processor_seconds();
        hull_a = body(a);
        hull_b = body(b);
        return processor_seconds() - start;
    }

    std::function<double(const Pose&)> ask(const std::string& question) {
        if (question == "distance" || question == "hull-distance") {
            const bool hull = question == "hull-distance";
            const fcl::CollisionGeometryd *a = mesh_a.get(), *b = mesh_b.get();
            if (hull) a = hull_a.get(), b = hull_b.get();
            return [this, a, b](const Pose& pose) {
                fcl::DistanceRequestd request;
                fcl::DistanceResultd result;
                // It says -1 where the bodies meet.
                return std::max(0.0, fcl::distance(a, here, b, pose, request, result));
            };
        }
        const fcl::CollisionGeometryd *a = mesh_a.get(), *b = mesh_b.get();
        if (question != "collide") a = hull_a.get(), b = hull_b.get();
        const bool depth = question == "hull-depth";
        return [this, a, b, depth](const Pose& pose) {
            const fcl::CollisionRequestd request(1, depth);
            fcl::CollisionResultd result;
            fcl::collide(a, here, b, pose, request, result);
            if (!result.isCollision()) return 0.0;
            return depth ? result.getContact(0).penetration_depth : 1.0;
        };
    }
};

int main() { serve<Fcl>(); }
