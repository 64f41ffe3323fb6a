// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/vertex_stage.h"

#include <algorithm>

namespace terrazzo::soft {

VertexStage::VertexStage()
    : kernels_(select_front()),
      ids_(kPadded),
      slots_(kPadded),
      corners_(3 * kMaxTriangles),
      survivors_(kMaxTriangles),
      window_(kPadded + kSpare),
      inv_w_(kPadded + kSpare),
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

void VertexStage::shade(const Inputs& in, const ClipSpace& space, uint32_t count, uint32_t instance) {
    const uint32_t stride = (count + 15) / 16 * 16 + kSpare;
    const size_t size = size_t(in.program->output_components) * stride;
    if (outputs_.size() < size) outputs_.resize(size);
    columns_ = {outputs_.data(), stride, window_.data(), inv_w_.data()};
    VertexArgs args;
    args.shader = in.program->vertex->self;
    args.uniforms = in.uniforms;
    args.textures = in.textures;
    args.fetch = in.fetch;
    args.instance = instance;
    args.out_stride = stride;
    const VertexFn fn = in.program->vertex->vertex;
    for (uint32_t first = 0; first < count; first += kLanes) {
        args.indices = ids_.data() + first;
        args.count = std::min<uint32_t>(kLanes, count - first);
        args.out = outputs_.data() + first;
        fn(&args);
    }
    kernels_.project(space, columns_, in.program->position, count);
}

}  // namespace terrazzo::soft
