// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The programs of draws: code for the state, and USC words that bind uniforms, textures and samplers to it.
// Source: Mesa 25.0.7, gallium agx_state.c (agx_build_pipeline).
#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/agx/passes/draw_context.h"

namespace terrazzo::agx {

using compiler::FetchWord;

bool DrawContext::choose_vertex_code() {
    const AgxProgram& p = *state_.program;
    const AgxVertexLayout& layout = *state_.layout;
    FetchKey key;
    converted_.choose(attributes_to_convert(layout, state_.vertex_buffers) & p.vertex.info.attributes);
    const uint32_t converted =
        attributes_to_convert(layout, state_.vertex_buffers) & p.vertex.info.attributes;
    for (uint32_t rest = p.vertex.info.attributes; rest; rest &= rest - 1) {
        const auto n = unsigned(std::countr_zero(rest));
        const pipe::VertexElement& e = layout.desc.elements[n];
        const bool has_buffer = (layout.present >> n & 1) && e.buffer < state_.vertex_buffers.size() &&
                                state_.vertex_buffers[e.buffer].resource;
        FetchKey::Location& l = key.at[n];
        l.attribute = has_buffer && !(converted >> n & 1) ? layout.attributes[n] : four_floats();
        l.attribute.location = uint8_t(n);
        l.attribute.divisor = layout.attributes[n].divisor;
        l.components = p.vertex.info.attribute_components[n];
    }
    if (vertex_code_ && !(state_.dirty & kProgram) && key == fetch_key_) return true;
    fetch_key_ = key;
    vertex_code_ = &p.vertex_code(screen_.device(), screen_.program_parts(), key);
    if (vertex_code_->error.empty()) return true;
    log_(pipe::Severity::Error, "agx: draws have no effect: " + vertex_code_->error);
    return false;
}

bool DrawContext::choose_fragment_code() {
    const AgxProgram& p = *state_.program;
    blend_plan_ = plan_blending(*state_.blend, pass_.color_formats(), pass_.tiles(), p.fragment.info);
    fragment_code_ = &p.fragment_code(screen_.device(), screen_.program_parts(), blend_plan_.stores);
    if (fragment_code_->error.empty()) return true;
    log_(pipe::Severity::Error, "agx: draws have no effect: " + fragment_code_->error);
    return false;
}

/// The values of what is bound. Of an unbound block nothing is read but its address.
void DrawContext::find_sysvals(const ShaderPart& part, Stage stage) {
    const contexts::BoundStage& bound = state_.stages[stage];
    for (uint32_t rest = part.blocks; rest; rest &= rest - 1) {
        const auto n = unsigned(std::countr_zero(rest));
        const pipe::BufferRange& range = bound.blocks[n];
        uint64_t va = screen_.missing_attribute_va(), size_B = 0;
        if (range.resource && range.offset_B < range.resource->desc.width) {
            AgxResource& r = agx(*range.resource);
            recorder_.read_as_packed(r, [&] { va = r.va() + range.offset_B; });
            size_B = std::min<uint64_t>(range.size_B, r.desc.width - range.offset_B);
        }
        sysvals_.blocks[n] = {uint32_t(va), uint32_t(va >> 32), uint32_t(size_B)};
    }
    if (!part.reads_slots) return;
    for (uint32_t rest = part.info.textures; rest; rest &= rest - 1) {
        const auto n = unsigned(std::countr_zero(rest));
        uint32_t(&size)[4] = sysvals_.texture_size[n];
        std::fill_n(size, 4, 1u);
        if (!bound.views[n]) continue;
        const auto& view = static_cast<const AgxSamplerView&>(*bound.views[n]);
        const pipe::ResourceDesc& d = view.image().desc;
        const unsigned level = view.desc.first_level;
        size[0] = std::max(d.width >> level, 1u);
        size[1] = std::max(d.height >> level, 1u);
        size[2] = view.desc.kind == pipe::ResourceKind::Tex3D ? std::max(d.depth >> level, 1u)
                                                              : images::view_layers(view.desc);
        size[3] = images::view_levels(view.desc);
    }
}

void DrawContext::bind_textures(const ShaderPart& part, Stage stage, UscWords* words, hw::Counts* counts) {
    const auto count = uint32_t(std::bit_width(part.info.textures));
    if (!count) return;
    const contexts::BoundStage& bound = state_.stages[stage];
    const auto sampler = [&](unsigned n) -> const AgxSampler& {
        return bound.samplers[n] ? static_cast<const AgxSampler&>(*bound.samplers[n])
                                 : *screen_.default_sampler;
    };
    const programs::TextureKinds kinds{part.info.cube_textures, part.info.volume_textures};
    bool extended = false;
    for (unsigned n = 0; n < count; ++n)
        extended |= (part.info.textures >> n & 1) && sampler(n).custom_border;
    const unsigned sampler_dw = extended ? kExtendedSampler_dw : kSampler_dw;
    const Recorder::Words textures = recorder_.allocate(count * kTexture_dw, 8),
                          samplers = recorder_.allocate(count * sampler_dw, 8);
    for (unsigned n = 0; n < count; ++n) {
        uint32_t* const out = textures.cpu + n * kTexture_dw;
        AgxSamplerView& view = bound.views[n] && (part.info.textures >> n & 1)
                                   ? static_cast<AgxSamplerView&>(*bound.views[n])
                                   : screen_.null_views().of(kinds.of(n));
        recorder_.hold(view);
        recorder_.read_as_packed(view.image(), [&] { view.write(out, sampler(n).desc.skip_srgb_decode); });
        if (extended)
            sampler(n).write(&view, samplers.cpu + n * sampler_dw);
        else
            std::copy_n(sampler(n).words, kSampler_dw, samplers.cpu + n * sampler_dw);
    }
    words->add(hw::UscTexture{.start = 0, .count = count, .buffer = textures.va});
    words->add(hw::UscSampler{.start = 0, .count = count, .buffer = samplers.va});
    counts->textures = count;
    using enum hw::SamplerStates;
    counts->samplers = extended      ? (count <= 8 ? Extended8 : Extended16)
                       : count <= 4  ? Compact4
                       : count <= 8  ? Compact8
                       : count <= 12 ? Compact12
                                     : Compact16;
}

void DrawContext::bind_resources(const ShaderPart& part, Stage stage, unsigned first_word, UscWords* words,
                                 hw::Counts* counts) {
    bind_textures(part, stage, words, counts);
    const std::vector<uint32_t>& uniforms = state_.stages[stage].uniforms;
    if (part.reads_default_block) {
        const Recorder::Words block = recorder_.allocate(std::max(part.uniform_dw, 1u), 16);
        (void)programs::put_padded(block.cpu, uniforms, std::max(part.uniform_dw, 1u));
        sysvals_.default_block[0] = uint32_t(block.va);
        sysvals_.default_block[1] = uint32_t(block.va >> 32);
    }
    find_sysvals(part, stage);
    const unsigned count = part.uniform_words();
    if (!count) return;
    const Recorder::Words values = recorder_.allocate(count + (count & 1), 8);
    programs::write_uniforms(part.uniforms, uniforms, &sysvals_, values.cpu);
    words->add_uniforms(first_word, count, values.va);
    counts->uniforms = 2 * (first_word + count);
}

/// FetchWord of each attribute.
void DrawContext::write_fetch_words(uint32_t* out) {
    const AgxVertexLayout& layout = *state_.layout;
    const auto put = [&](unsigned n, uint64_t va, uint32_t stride_B, uint64_t size_B, uint32_t element_B) {
        uint32_t* const words = out + FetchWord::Count * n;
        words[FetchWord::AddressLow] = uint32_t(va);
        words[FetchWord::AddressHigh] = uint32_t(va >> 32);
        words[FetchWord::Stride_B] = stride_B;
        words[FetchWord::LastElement] =
            stride_B ? uint32_t(std::min<uint64_t>((size_B - element_B) / stride_B, UINT32_MAX)) : 0;
    };
    const auto missing = [&](unsigned n) { put(n, screen_.missing_attribute_va(), 0, 0, 0); };
    const auto each_buffer = [&](auto&& f) {
        for (const pipe::VertexBuffer& v : state_.vertex_buffers)
            if (v.resource) f(agx(*v.resource));
    };
    recorder_.read_all_as_packed(each_buffer, [&] {
        for (unsigned n = 0; n < fetch_key_.at.size(); ++n) {
            if (!fetch_key_.at[n].components) continue;
            const pipe::VertexElement& e = layout.desc.elements[n];
            const pipe::VertexBuffer* const b =
                (layout.present >> n & 1) && e.buffer < state_.vertex_buffers.size()
                    ? &state_.vertex_buffers[e.buffer]
                    : nullptr;
            if (!b || !b->resource) {
                missing(n);
                continue;
            }
            const uint64_t first_B = e.divisor ? uint64_t{first_instance_} * b->stride_B : 0;
            const uint64_t at_B = b->offset_B + e.offset_B + first_B, size_B = b->resource->desc.width;
            const uint32_t element_B = pipe::format_info(e.format).block_B;
            // A buffer without a whole element: 16 readable bytes take its place.
            if (at_B + element_B > size_B)
                missing(n);
            else
                put(n, agx(*b->resource).va() + at_B, b->stride_B, size_B - at_B, element_B);
        }
    });
    converted_.convert(
        {layout.desc, state_.vertex_buffers}, [&](uint32_t n, const contexts::ConvertedAttribute& a) {
            const uint64_t first_B = layout.desc.elements[n].divisor ? uint64_t{first_instance_} * 16 : 0;
            put(n, a.va + first_B, 16, a.size_B - first_B, 16);
        });
}

void DrawContext::write_vertex_pipeline(hw::VdmState* vdm) {
    const ShaderPart& part = state_.program->vertex;
    recorder_.hold(*state_.program);
    UscWords words;
    hw::Counts counts;
    if (const auto locations = unsigned(std::bit_width(part.info.attributes))) {
        const unsigned count = FetchWord::Count * locations;
        const Recorder::Words fetch = recorder_.allocate(count, 8);
        std::fill_n(fetch.cpu, count, 0u);
        write_fetch_words(fetch.cpu);
        words.add_uniforms(0, count, fetch.va);
        counts.uniforms = 2 * count;
    }
    bind_resources(part, Stage::Vertex, compiler::kVertexUniformWord, &words, &counts);
    words.add_code(vertex_code_->code.va(), vertex_code_->registers, part.info.stack_B, false);
    words.add(hw::UscNoPreshader());
    pass_.use_stack(part.info.stack_B != 0);
    vdm->header.vertex_counts = vdm->header.vertex_pipeline = vdm->header.vertex_outputs = true;
    vdm->header.vertex_unknown = true;
    vdm->vertex_counts = counts;
    vdm->vertex_pipeline.address = uint32_t(words.put(recorder_) - Asahi::kUscBase);
    vdm->vertex_outputs.count_1 = vdm->vertex_outputs.count_2 = part.info.output_words;
    vdm->vertex_unknown.flat_shading_vertex = hw::VdmVertex::N2;
}

void DrawContext::write_fragment_pipeline() {
    const AgxProgram& p = *state_.program;
    const ShaderPart& part = p.fragment;
    recorder_.hold(p);
    UscWords words;
    hw::Counts counts;
    bind_resources(part, Stage::Fragment, 0, &words, &counts);
    if (blend_plan_.takes_color) {
        const Recorder::Words color = recorder_.allocate(4, 8);
        for (unsigned c = 0; c < 4; ++c)
            color.cpu[c] =
                std::isnan(state_.blend_color[c]) ? 0 : std::bit_cast<uint32_t>(state_.blend_color[c]);
        words.add_uniforms(compiler::kBlendUniformWord, 4, color.va);
        counts.uniforms = 2 * (compiler::kBlendUniformWord + 4);
    }
    words.add(pass_.tiles().shared());
    words.add_code(fragment_code_->code.va(), fragment_code_->registers, part.info.stack_B, true,
                   p.coefficient_count != 0);
    words.add(hw::UscFragmentProperties{
        .early_z = !part.info.runs_tests, .unknown_9 = true, .unknown_12 = 0xf, .unknown_16 = 2});
    words.add(hw::UscNoPreshader());
    counts.cf_bindings = p.coefficient_count;
    ppp_.header.fragment_shader = true;
    ppp_.fragment_shader.counts = counts;
    ppp_.fragment_shader.pipeline.address = uint32_t(words.put(recorder_) - Asahi::kUscBase);
    ppp_.fragment_shader.cf_bindings =
        p.coefficient_count ? uint32_t(p.coefficients.va - Asahi::kUscBase) : 0;
}

}  // namespace terrazzo::agx
