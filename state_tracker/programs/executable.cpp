// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Executables: the tables for fast access by location, sampler slot and uniform block.
#include <algorithm>
#include <bit>
#include <cstring>

#include "pipe/debug.h"
#include "shaders/ir/print.h"
#include "state_tracker/programs/later_stages.h"
#include "state_tracker/programs/program.h"

namespace terrazzo::st {
namespace {

TextureTarget sampler_target(const shaders::GlslType& t) {
    if (t.external) return TextureTarget::External;
    switch (t.dim) {
        case ir::TexDim::Cube:
            return t.arrayed ? TextureTarget::CubeArray : TextureTarget::Cube;
        case ir::TexDim::D3:
            return TextureTarget::Tex3D;
        case ir::TexDim::D2MS:
            return t.arrayed ? TextureTarget::Tex2DMSArray : TextureTarget::Tex2DMS;
        case ir::TexDim::Buffer:
            return TextureTarget::Buffer;
        case ir::TexDim::D1:
        case ir::TexDim::D2:
            break;
    }
    return t.arrayed ? TextureTarget::Tex2DArray : TextureTarget::Tex2D;
}

void fill_locations(Executable& e) {
    const auto& uniforms = e.linked->uniforms;
    for (size_t i = 0; i < uniforms.size(); ++i) {
        const shaders::UniformInfo& u = uniforms[i];
        std::string_view name = u.name;
        if (u.is_array && name.ends_with("[0]")) name.remove_suffix(3);
        e.uniform_names.emplace(std::string(name), uint32_t(i));
        if (u.location < 0) continue;
        size_t end = size_t(u.location) + std::max(u.array_size, 1u);
        if (e.locations.size() < end) e.locations.resize(end);
        for (uint32_t k = 0; k < std::max(u.array_size, 1u); ++k)
            e.locations[size_t(u.location) + k] = {int32_t(i), k};
    }
    static constexpr const char* kDepthRange[] = {"gl_DepthRange.near", "gl_DepthRange.far",
                                                  "gl_DepthRange.diff"};
    for (int i = 0; i < 3; ++i)
        if (auto it = e.uniform_names.find(kDepthRange[i]); it != e.uniform_names.end())
            e.depth_range[i] = int32_t(it->second), e.reads_depth_range = true;
}

/// Sets the units that shaders assign to their samplers and images: layout(binding = n).
void fill_units(Executable& e) {
    for (const shaders::UniformInfo& u : e.linked->uniforms) {
        if (!is_unit(u)) continue;
        for (uint32_t k = 0; k < std::max(u.array_size, 1u); ++k)
            if (u.storage_dw + k < e.values.size()) e.values[u.storage_dw + k] = unit_at_first(u, k);
    }
}

void find_later_stages(Executable& e) {
    const auto records = [&](pipe::Stage s) {
        const auto& stored = e.linked->stages[size_t(s)].stored();
        return stored ? stored->info().records : ir::StageRecords();
    };
    e.modes =
        modes_taken(bool(e.linked->stages[size_t(pipe::Stage::TessEval)]), records(pipe::Stage::Geometry).in);
    e.last_gives = records(pipe::Stage::Geometry).out;
    if (e.last_gives == ir::Shape::None) e.last_gives = records(pipe::Stage::TessEval).out;
}

void print_ir(const shaders::LinkedProgram& p) {
    for (unsigned s = 0; s < pipe::kStageCount; ++s)
        if (const auto& stored = p.stages[s].stored())
            if (const ir::Shader* const shader = stored->get())
                pipe::debug_print(pipe::DebugWord::Ir, "linked:\n" + ir::print(*shader));
}

}  // namespace

pipe::Ref<Executable> make_executable(Context& ctx, std::shared_ptr<const shaders::LinkedProgram> linked) {
    auto e = pipe::Ref<Executable>::adopt(new Executable);
    e->linked = std::move(linked);
    const shaders::LinkedProgram& p = *e->linked;
    e->views = p.views;
    e->values.resize(p.storage_dw);
    for (unsigned s = 0; s < pipe::kStageCount; ++s) {
        e->blocks[s].resize(p.uniform_dw[s]);
        e->block_stamp[s] = 1;
        if (p.uniform_dw[s]) e->block_stages |= 1u << s;
        for (const shaders::SamplerSlot& slot : p.samplers[s]) {
            e->samplers[s].push_back({sampler_target(slot.type), slot.type.shadow,
                                      p.uniforms[slot.uniform].storage_dw + slot.element, slot.plane,
                                      slot.conversion_dw});
            if (slot.conversion_dw >= 0) e->external_stages |= 1u << s;
        }
        if (!e->samplers[s].empty()) e->sampler_stages |= 1u << s;
    }
    for (const shaders::UniformBlockInfo& b : p.blocks) {
        const bool given = b.binding >= 0 && b.binding < ctx.limits.max_uniform_buffer_bindings;
        e->block_bindings.push_back(given ? uint32_t(b.binding) : 0);
    }
    for (unsigned s = 0; s < pipe::kStageCount; ++s) {
        e->uniform_buffer_stages |= uint32_t(p.block_slots[s] != 0) << s;
        e->storage_stages |= uint32_t(p.storage_slots[s] != 0) << s;
        e->image_stages |= uint32_t(!p.images[s].empty()) << s;
    }
    for (const shaders::UniformInfo& u : p.uniforms)
        e->texture_buffers |=
            u.type.dim == ir::TexDim::Buffer &&
            (u.type.base == shaders::BaseType::Sampler || u.type.base == shaders::BaseType::Image);
    fill_locations(*e);
    fill_units(*e);
    e->update_samplers();
    for (const shaders::AttributeInfo& a : vertex_attributes(p))
        e->reads_vertex_id |= a.location < 0 && a.name == "gl_VertexID";
    for (const shaders::AttributeInfo& a : vertex_attributes(p))
        for (unsigned c = 0;
             a.location >= 0 && c < std::max<unsigned>(a.type.columns, 1) * std::max(a.array_size, 1u); ++c)
            if (a.location + c < pipe::kMaxVertexAttribs) e->attributes_used |= 1u << (a.location + c);
    find_later_stages(*e);
    // Graphics stages without vertex or fragment stage, or with only one tessellation stage, run in pipelines
    // only, which link them with others.
    const auto has = [&](pipe::Stage s) { return bool(p.stages[size_t(s)]); };
    if (!has(pipe::Stage::Compute) && !(has(pipe::Stage::Vertex) && has(pipe::Stage::Fragment) &&
                                        has(pipe::Stage::TessControl) == has(pipe::Stage::TessEval)))
        return e;
    pipe::ProgramDesc desc;
    for (unsigned s = 0; s < pipe::kStageCount; ++s)
        desc.stored[s] = p.stages[s].stored();
    desc.clip_distances = p.clip_distances;
    desc.cull_distances = p.cull_distances;
    if (!p.stream_output.empty()) desc.stream_output = &p.stream_output;
    if (pipe::debug(pipe::DebugWord::Ir)) print_ir(p);
    e->pipe_program = ctx.screen.create_program(desc, ctx.config.log);
    e->draws = bool(p.stages[size_t(pipe::Stage::Vertex)]);
    return e->pipe_program ? e : nullptr;
}

void Executable::update_blocks(const shaders::UniformInfo& u, uint32_t first, uint32_t count) {
    const size_t stride_dw = u.type.components();
    const uint32_t* const from = values.data() + u.storage_dw + first * stride_dw;
    for (uint32_t rest = block_stages; rest; rest &= rest - 1) {
        const auto s = unsigned(std::countr_zero(rest));
        if (u.offset_dw[s] < 0) continue;
        std::copy_n(from, count * stride_dw, blocks[s].data() + u.offset_dw[s] + first * stride_dw);
        ++block_stamp[s];
    }
}

std::optional<IndexedName> parse_name(std::string_view name) {
    if (!name.ends_with(']')) return IndexedName{name, {}};
    size_t open = name.rfind('[');
    if (open == std::string_view::npos) return {};
    std::string_view digits = name.substr(open + 1, name.size() - open - 2);
    if (digits.empty() || digits.size() > 9 || (digits.size() > 1 && digits[0] == '0')) return {};
    uint32_t index = 0;
    for (char c : digits) {
        if (c < '0' || c > '9') return {};
        index = index * 10 + uint32_t(c - '0');
    }
    return IndexedName{name.substr(0, open), index};
}

int32_t Executable::find_uniform(std::string_view name, uint32_t* element) const {
    const std::optional<IndexedName> n = parse_name(name);
    if (!n) return -1;
    // In arrays of arrays the name "a[2]" is an array, not an element.
    auto it = uniform_names.find(std::string(name));
    if (it != uniform_names.end()) {
        *element = 0;
        return int32_t(it->second);
    }
    it = uniform_names.find(std::string(n->base));
    if (it == uniform_names.end()) return -1;
    const shaders::UniformInfo& u = linked->uniforms[it->second];
    if (n->index && (!u.is_array || *n->index >= u.array_size)) return -1;
    *element = n->index.value_or(0);
    return int32_t(it->second);
}

void Executable::update_samplers() {
    samplers_agree_ = false;
    std::array<uint8_t, kMaxTextureUnits> used{};  // by unit: 1 + target; 0: unused
    for (const auto& stage : samplers)
        for (const Sampler& s : stage) {
            unsigned u = unit(s);
            uint8_t target = uint8_t(1 + unsigned(s.target));
            if (u >= kMaxTextureUnits || (used[u] && used[u] != target)) return;
            used[u] = target;
        }
    samplers_agree_ = true;
}

}  // namespace terrazzo::st
