"""Records what trimesh says about the third-party models, one JSON object per file, on standard output.

    python record.py DATA_FOLDER > measured.json

Needs trimesh (measured with 5.2.0), numpy, networkx and scipy. Vertices at exactly equal positions are welded before counting
and before asking for topology, nothing else is changed. judged.json, written by hand, says where this is not the last word.
"""

import json
import pathlib
import sys

import networkx as nx
import numpy as np
import trimesh

FOLDERS = ["trimesh-models", "ipc-toolkit-tests-data", "spot"]
FORMATS = {".stl", ".obj", ".off", ".ply", ".glb", ".gltf"}


def measure(path):
    loaded = trimesh.load(path, process=False)
    if isinstance(loaded, trimesh.Scene):
        loaded = loaded.to_geometry()
    if loaded.is_empty:
        return {"triangles": 0}
    positions = np.asarray(loaded.vertices) + 0.0
    used = np.unique(loaded.faces)
    unique, inverse = np.unique(positions, axis=0, return_inverse=True)
    faces = inverse.reshape(-1)[loaded.faces]
    mesh = trimesh.Trimesh(unique, faces, process=False)
    mesh.remove_unreferenced_vertices()
    shells = trimesh.graph.connected_components(mesh.face_adjacency, nodes=np.arange(len(faces)), min_len=1)
    counts = np.unique(mesh.edges_unique_inverse, return_counts=True)[1]
    distinct = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    box = positions[used]
    return {
        "triangles": len(faces),
        "welded_vertices": len(np.unique(faces)),
        "bodies": int(mesh.body_count),
        "shells": len(shells),
        "open_edges": int((counts == 1).sum()),
        "edges_of_many_faces": int((counts > 2).sum()),
        "faces_without_area": int((mesh.area_faces == 0).sum()),
        "duplicate_faces": int(len(faces[distinct]) - len(np.unique(np.sort(faces[distinct], axis=1), axis=0))),
        "same_direction_edges": same_direction_edges(mesh),
        "split_vertices": split_vertices(faces[distinct]),
        "inside_out_shells": sum(is_inside_out(mesh, shell) for shell in shells),
        "watertight": bool(mesh.is_watertight and mesh.is_winding_consistent),
        "winding_consistent": bool(mesh.is_winding_consistent),
        "volume": float(mesh.volume),
        "area": float(mesh.area),
        "box_min": box.min(axis=0).tolist(),
        "box_max": box.max(axis=0).tolist(),
        "processed": processed(path),
    }


def same_direction_edges(mesh):
    """Edges of two faces that run along them in the same direction."""
    forward = mesh.edges[:, 0] < mesh.edges[:, 1]
    uses = np.bincount(mesh.edges_unique_inverse)
    forwards = np.bincount(mesh.edges_unique_inverse, weights=forward)
    return int(((uses == 2) & (forwards != 1)).sum())


def split_vertices(faces):
    """Vertices whose faces fall apart when only connections through edges at the vertex count."""
    stars = {}
    for face in faces.tolist():
        for v in face:
            stars.setdefault(v, []).append([w for w in face if w != v])
    # Two faces at a vertex share an edge there exactly if they share another vertex.
    return sum(len(list(nx.connected_components(nx.Graph(star)))) > 1 for star in stars.values())


def is_inside_out(mesh, shell):
    part = mesh.submesh([shell], append=True, repair=False)
    return bool(part.is_watertight and part.is_winding_consistent and part.volume < 0)


def processed(path):
    """What trimesh makes of the file by itself: welded within 1e-8, windings and normals mended."""
    mesh = trimesh.load(path)
    mesh = mesh.to_geometry() if isinstance(mesh, trimesh.Scene) else mesh
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    trimesh.repair.fix_normals(mesh, multibody=True)
    watertight = bool(mesh.is_watertight and mesh.is_winding_consistent)
    return {"watertight": watertight, "volume": float(mesh.volume) if watertight else None}


def main(root):
    records = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix.lower() in FORMATS:
                name = path.relative_to(root).as_posix()
                records[name] = measure(path)
    json.dump(records, sys.stdout, indent=1)
    print()


main(pathlib.Path(sys.argv[1]))
