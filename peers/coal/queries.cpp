// Coal as a peer for meshes and convex bodies; see serve.h for the requests.

#include "../serve.h"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>

#include <memory>

using Model = coal::BVHModel<coal::OBBRSS>;
using Body = coal::Convex<coal::Triangle>;

struct Coal {
    using Pose = coal::Transform3s;

    std::unique_ptr<Model> mesh_a, mesh_b;
    std::unique_ptr<Body> hull_a, hull_b;

    static Pose pose(const double* row) {
        const Eigen::Quaterniond turn(row[0], row[1], row[2], row[3]);
        return Pose(turn.toRotationMatrix(), coal::Vec3s(row[4], row[5], row[6]));
    }

    static std::vector<coal::Vec3s> points(const Arrays& in) {
        std::vector<coal::Vec3s> out;
        for (size_t i = 0; i < in.coordinates.size(); i += 3)
            out.emplace_back(in.coordinates[i], in.coordinates[i + 1], in.coordinates[i + 2]);
        return out;
    }

    static std::vector<coal::Triangle> triangles(const Arrays& in) {
        std::vector<coal::Triangle> out;
        for (size_t i = 0; i < in.corners.size(); i += 3)
            out.emplace_back(in.corners[i], in.corners[i + 1], in.corners[i + 2]);
        return out;
    }

    static double build(const Arrays& in, std::unique_ptr<Model>& out) {
        const auto vertices = points(in);
        const auto faces = triangles(in);
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
            auto vertices = std::make_shared<std::vector<coal::Vec3s>>(points(in));
            auto faces = std::make_shared<std::vector<coal::Triangle>>(triangles(in));
            const auto count = unsigned(vertices->size()), face_count = unsigned(faces->size());
            return std::make_unique<Body>(vertices, count, faces, face_count);
        };
        const double start = processor_seconds();
        hull_a = body(a);
        hull_b = body(b);
        return processor_seconds() - start;
    }

    // "warm" keeps the guess of the answer before, which Coal offers for convex bodies only.
    std::function<double(const Pose&)> hull_distance(coal::GJKVariant variant, bool warm) {
        coal::DistanceRequest request;
        request.gjk_variant = variant;
        request.gjk_initial_guess = warm ? coal::CachedGuess : coal::DefaultGuess;
        const auto compute = std::make_shared<coal::ComputeDistance>(hull_a.get(), hull_b.get());
        return [compute, request, warm](const Pose& pose) mutable {
            coal::DistanceResult result;
            const double distance = (*compute)(Pose(), pose, request, result);
            if (warm) request.updateGuess(result);
            return distance;
        };
    }

    std::function<double(const Pose&)> ask(const std::string& question) {
        if (question == "distance")
            return [this](const Pose& pose) {
                coal::DistanceRequest request;
                request.enable_signed_distance = false;
                coal::DistanceResult result;
                return coal::distance(mesh_a.get(), Pose(), mesh_b.get(), pose, request, result);
            };
        if (question == "collide")
            return [this](const Pose& pose) {
                coal::CollisionRequest request;
                coal::CollisionResult result;
                return double(coal::collide(mesh_a.get(), Pose(), mesh_b.get(), pose, request, result) > 0);
            };
        if (question == "hull-distance") return hull_distance(coal::DefaultGJK, false);
        if (question == "hull-distance-polyak") return hull_distance(coal::PolyakAcceleration, false);
        if (question == "hull-distance-warm") return hull_distance(coal::DefaultGJK, true);
        // Depths, the coordinates of their normals, and booleans.
        const bool depth = question == "hull-depth";
        const int axis = question == "hull-normal-x" ? 0 : question == "hull-normal-y" ? 1 : question == "hull-normal-z" ? 2 : -1;
        const auto compute = std::make_shared<coal::ComputeCollision>(hull_a.get(), hull_b.get());
        const coal::CollisionRequest request(depth || axis >= 0 ? coal::CONTACT : coal::NO_REQUEST, 1);
        return [compute, request, depth, axis](const Pose& pose) {
            coal::CollisionResult result;
            (*compute)(Pose(), pose, request, result);
            if (!result.isCollision()) return 0.0;
            if (axis >= 0) return result.getContact(0).normal[axis];
            return depth ? -result.getContact(0).penetration_depth : 1.0;
        };
    }
};

int main() { serve<Coal>(); }
