// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/vertex_stage.h"

#include <algorithm>

namespace terrazzo::soft {

VertexStage::VertexStage()
    : ids_(kPadded),
      code_(kPadded),
      slots_(kPadded),
      x_(kPadded),
      y_(kPadded),
      z_(kPadded),
      inv_w_(kPadded),
      table_(kTable),
      table_slot_(kTable) {}

uint32_t VertexStage::deduplicate(uint32_t count) {
    if (++stamp_ == 0) {
        std::fill(table_.begin(), table_.end(), 0);
        stamp_ = 1;
    }
    const uint64_t stamp = uint64_t(stamp_) << 32;
    uint32_t unique = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t id = ids_[i];
        uint32_t at = (id * 0x9e3779b1u) >> 20;  // 12 bits: kTable entries
        while (table_[at] != (stamp | id)) {
            if (table_[at] >> 32 != stamp_) {
                table_[at] = stamp | id;
                table_slot_[at] = uint16_t(unique);
                ids_[unique++] = id;  // never ahead of i
                break;
            }
            at = (at + 1) % kTable;
        }
        slots_[i] = table_slot_[at];
    }
    return unique;
}

void VertexStage::project(const SoftProgram& program, const ClipSpace& space, uint32_t block) {
    const float* const p = outputs_.data() + size_t(block) * stride_ + size_t(program.position) * kLanes;
    const uint32_t first = block * kLanes;
    for (unsigned i = 0; i < kLanes; ++i) {
        const float x = p[i], y = p[kLanes + i], z = p[2 * kLanes + i], w = p[3 * kLanes + i];
        const float inv_w = 1.0f / w;
        code_[first + i] = clip_code(space, x, y, z, w);
        x_[first + i] = snap(window_px(x, inv_w, space.scale[0], space.translate[0]));
        y_[first + i] = snap(window_px(y, inv_w, space.scale[1], space.translate[1]));
        z_[first + i] = window_px(z, inv_w, space.scale[2], space.translate[2]);
        inv_w_[first + i] = inv_w;
    }
}

void VertexStage::shade(const Inputs& in, const ClipSpace& space, uint32_t count, uint32_t instance) {
    stride_ = size_t(in.program->output_components) * kLanes;
    const uint32_t blocks = (count + kLanes - 1) / kLanes;
    if (outputs_.size() < blocks * stride_) outputs_.resize(blocks * stride_);
    VertexArgs args;
    args.shader = in.program->vertex->self;
    args.uniforms = in.uniforms;
    args.textures = in.textures;
    args.fetch = in.fetch;
    args.instance = instance;
    const VertexFn fn = in.program->vertex->vertex;
    for (uint32_t b = 0; b < blocks; ++b) {
        args.indices = ids_.data() + size_t(b) * kLanes;
        args.count = std::min<uint32_t>(kLanes, count - b * kLanes);
        args.out = reinterpret_cast<float(*)[kLanes]>(outputs_.data() + size_t(b) * stride_);
        fn(&args);
        project(*in.program, space, b);
    }
}

}  // namespace terrazzo::soft
