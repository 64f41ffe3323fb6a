// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a stage's code may access, from the program's tables: see check.h.
#include "shaders/link/check.h"

namespace terrazzo::shaders {

using ir::Stage;

namespace {

uint64_t attribute_mask(const LinkedProgram& p) {
    uint64_t mask = 0;
    for (const AttributeInfo& a : p.attributes)
        if (a.location >= 0) mask |= ((uint64_t(1) << (a.type.columns * a.array_size)) - 1) << a.location;
    return mask;
}

}  // namespace

ir::StageInterface interface_of(const LinkedProgram& p, Stage stage) {
    ir::StageInterface out;
    out.uniform_dw = p.uniform_dw[unsigned(stage)];
    for (const SamplerSlot& s : p.samplers[unsigned(stage)]) {
        const GlslType& t = s.type;
        out.samplers.push_back(
            {t.dim, t.arrayed, t.shadow, t.sampled == BaseType::Float ? ir::Type::F32 : ir::Type::I32, 1});
    }
    // An array of structures has a uniform for each element: adjacent slots of the same kind count as one
    // array.
    const auto alike = [](const auto& a, const auto& b) {
        return a.dim == b.dim && a.arrayed == b.arrayed && a.shadow == b.shadow && a.texel == b.texel;
    };
    for (size_t n = out.samplers.size(); n-- > 1;)
        if (alike(out.samplers[n - 1], out.samplers[n]))
            out.samplers[n - 1].array_left = out.samplers[n].array_left + 1;
    out.uniform_blocks.resize(p.block_slots[unsigned(stage)]);
    for (const UniformBlockInfo& b : p.blocks)
        if (const int32_t at = b.slot[unsigned(stage)]; at >= 0)
            out.uniform_blocks[size_t(at)] = b.array_left;
    out.storage_buffers.resize(p.storage_slots[unsigned(stage)], 1);
    for (const UniformBlockInfo& b : p.storage_blocks)
        if (const int32_t at = b.slot[unsigned(stage)]; at >= 0)
            out.storage_buffers[size_t(at)] = b.array_left;
    for (const ImageSlot& i : p.images[unsigned(stage)])
        out.images.push_back({i.type.dim, i.type.arrayed, i.format, 1});
    const auto alike_images = [](const auto& a, const auto& b) {
        return a.dim == b.dim && a.arrayed == b.arrayed && a.format == b.format;
    };
    for (size_t n = out.images.size(); n-- > 1;)
        if (alike_images(out.images[n - 1], out.images[n]))
            out.images[n - 1].array_left = out.images[n].array_left + 1;
    const uint64_t varyings = ir::varying_mask(p.varying_slots);
    out.inputs = stage == Stage::Vertex ? attribute_mask(p) : ir::is_kernel(stage) ? 0 : varyings;
    const uint64_t distances = ir::distance_mask(p.distance_slots);
    if (stage == Stage::Fragment) out.inputs |= distances;
    if (stage == Stage::Fragment)
        for (const auto slot :
             {ir::VaryingSlot::PrimitiveId, ir::VaryingSlot::Layer, ir::VaryingSlot::ViewportIndex})
            out.inputs |= uint64_t(1) << unsigned(slot);
    out.outputs = ir::fixed_outputs(stage) | (stage == Stage::Vertex ? varyings | distances : 0);
    if (stage == Stage::Vertex && p.views > 1) out.outputs |= uint64_t(1) << unsigned(ir::VaryingSlot::Layer);
    return out;
}

}  // namespace terrazzo::shaders
