// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// gl_ClipDistance and gl_CullDistance between stages (EXT_clip_cull_distance): checks that their sizes match,
// and stores the numbers in the program. In records of vertices, cull distances follow the clip distances
// without a gap.
#include "shaders/ir/limits.h"
#include "shaders/link/linker.h"

namespace terrazzo::shaders {

DistanceSizes distance_sizes(const std::vector<InterfaceVar>& list) {
    DistanceSizes sizes;
    for (const InterfaceVar& v : list) {
        if (!v.var) continue;
        if (v.name == "gl_ClipDistance") {
            sizes.clip = v.array_size;
            sizes.clip_implicit = v.implicit_size;
        } else if (v.name == "gl_CullDistance") {
            sizes.cull = v.array_size;
            sizes.cull_implicit = v.implicit_size;
        }
    }
    return sizes;
}

/// "If either shader redeclares" one of them "the array must have the same size in both shaders": checked if
/// both use it.
void Linker::match_distances_of(Stage from, Stage to) {
    const DistanceSizes out = distance_sizes(source(from)->outputs), in = distance_sizes(source(to)->inputs);
    const auto compare = [&](const char* name, uint32_t a, uint32_t b, bool both_implicit) {
        if (!a || !b || a == b || both_implicit) return;
        error(std::string(name) + " has different sizes: " + std::to_string(a) + " in the " +
              stage_name(from) + " shader, " + std::to_string(b) + " in the " + stage_name(to) + " shader");
    };
    compare("gl_ClipDistance", out.clip, in.clip, out.clip_implicit && in.clip_implicit);
    compare("gl_CullDistance", out.cull, in.cull, out.cull_implicit && in.cull_implicit);
}

void Linker::match_distances() {
    const std::vector<Stage> stages = chain();
    for (size_t n = 1; n < stages.size(); ++n)
        match_distances_of(stages[n - 1], stages[n]);
    DistanceSizes most;
    for (const Stage s : stages)
        for (const auto* const list : {&source(s)->inputs, &source(s)->outputs}) {
            const DistanceSizes sizes = distance_sizes(*list);
            most.clip = std::max(most.clip, sizes.clip);
            most.cull = std::max(most.cull, sizes.cull);
        }
    const auto limit = std::min(uint64_t(ir::kMaxDistances), uint64_t(options_.limits.distances));
    if (most.clip + most.cull > limit)
        error("gl_ClipDistance and gl_CullDistance have too many elements: " + std::to_string(most.clip) +
              " and " + std::to_string(most.cull) + ", " + std::to_string(limit) + " are supported together");
}

/// Distances that the stage before the fragment stage never writes neither clip nor cull.
void Linker::note_distances(Stage last, uint32_t clip, uint32_t cull) {
    const auto written = [&](const char* name) {
        for (const InterfaceVar& v : source(last)->outputs) {
            if (v.name != name || !v.var) continue;
            bool found = false;
            each_instruction(shader(last).body, [&](ir::Instr* i) {
                found |= i->op == ir::Op::StoreVar && i->var == var(last, v);
            });
            return found;
        }
        return false;
    };
    program_->clip_distances = clip && written("gl_ClipDistance") ? uint8_t(clip) : 0;
    program_->cull_distances = cull && written("gl_CullDistance") ? uint8_t(cull) : 0;
}

}  // namespace terrazzo::shaders
