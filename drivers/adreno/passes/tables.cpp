// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_texture.cc (build_texture_state), fd6_image.cc, captured streams. There is one
// table of storage descriptors for the stages of draws, another for compute.
#include "drivers/adreno/passes/tables.h"

#include <algorithm>
#include <bit>
#include <new>

#include "drivers/adreno/images/storage.h"
#include "drivers/adreno/program/pack.h"
#include "drivers/common/program/uniform_runs.h"
#include "winsys/trap.h"

namespace terrazzo::adreno {
namespace {

constexpr uint32_t kMostTextureState_dw = 2 * kLoadState_dw + 8;
constexpr uint32_t kStreamAlign_B = 64;
static_assert(kTexture_dw * 4 % kStreamAlign_B == 0 && kMostTextureState_dw * 4 % kStreamAlign_B == 0);

/// Writes the state that loads a stage's descriptors from these addresses.
uint32_t* put_texture_state(uint32_t* out, pipe::Stage stage, uint32_t samplers, uint64_t samplers_va,
                            uint32_t count, uint64_t textures_va) {
    const auto load = [&](hw::StateType type, uint32_t count, uint64_t va) {
        out = put_load_state(out, stage,
                             {.state_type = type,
                              .state_src = hw::StateSrc::SS6_INDIRECT,
                              .state_block = texture_block(stage),
                              .num_unit = count,
                              .address = va});
    };
    if (samplers) load(hw::StateType::ST6_SHADER, samplers, samplers_va);
    load(hw::StateType::ST6_CONSTANTS, count, textures_va);
    switch (stage) {
        case pipe::Stage::Vertex:
            return put_registers(out, hw::SP_VS_TEX_SAMP{samplers_va}, hw::SP_VS_TEX_CONST{textures_va},
                                 hw::SP_VS_TEX_COUNT{count});
        case pipe::Stage::TessControl:
            return put_registers(out, hw::SP_HS_TEX_SAMP{samplers_va}, hw::SP_HS_TEX_CONST{textures_va},
                                 hw::SP_HS_TEX_COUNT{count});
        case pipe::Stage::TessEval:
            return put_registers(out, hw::SP_DS_TEX_SAMP{samplers_va}, hw::SP_DS_TEX_CONST{textures_va},
                                 hw::SP_DS_TEX_COUNT{count});
        case pipe::Stage::Geometry:
            return put_registers(out, hw::SP_GS_TEX_SAMP{samplers_va}, hw::SP_GS_TEX_CONST{textures_va},
                                 hw::SP_GS_TEX_COUNT{count});
        case pipe::Stage::Fragment:
            return put_registers(out, hw::SP_FS_TEX_SAMP{samplers_va}, hw::SP_FS_TEX_CONST{textures_va},
                                 hw::SP_FS_TEX_COUNT{count});
        case pipe::Stage::Compute:
            return put_registers(out, hw::SP_CS_TEX_SAMP{samplers_va}, hw::SP_CS_TEX_CONST{textures_va},
                                 hw::SP_CS_TEX_COUNT{count});
    }
    winsys::unreachable();
}

}  // namespace

Segment Tables::vertex_layout() {
    uint32_t without_buffer = 0;
    for (unsigned i = 0; i < state_.layout->desc.count; ++i) {
        const unsigned buffer = state_.layout->desc.elements[i].buffer;
        if (buffer >= state_.vertex_buffers.size() || !state_.vertex_buffers[buffer].resource)
            without_buffer |= 1u << i;
    }
    const StaticState* const layout =
        state_.layout->state(state_.program->packing.attributes, without_buffer);
    if (!layout) throw std::bad_alloc();
    recorder_.hold(*state_.layout);
    return layout->segment();
}

Segment Tables::vertex_buffers() {
    FetchSlot slots[pipe::kMaxVertexAttribs];
    const auto count = std::min<size_t>(state_.vertex_buffers.size(), pipe::kMaxVertexAttribs);
    for (size_t i = 0; i < count; ++i) {
        const pipe::VertexBuffer& vb = state_.vertex_buffers[i];
        if (!vb.resource) continue;
        AdrenoResource& r = adreno(*vb.resource);
        if (vb.offset_B >= r.layout.size_B) continue;
        recorder_.read_as_packed(r, [&] {
            slots[i] = {r.va() + vb.offset_B, uint32_t(r.layout.size_B - vb.offset_B), vb.stride_B};
        });
    }
    return pool_words(recorder_.pool, kMostFetchWords, [&](uint32_t* out) {
        return write_fetch_slots({slots, count}, screen_.missing_attribute_va(), out);
    });
}

PoolSegment Tables::uniforms(pipe::Stage stage) {
    const StageCode& code = stage_code(state_, stage);
    const std::vector<uint32_t>& bound = state_.stages[stage].uniforms;
    // The parameters of all stages except the vertex stage are constant in a pass, or change with the patch's
    // size.
    const bool has_params = stage != pipe::Stage::Vertex && stage != pipe::Stage::Compute;
    const uint32_t params_dw = has_params ? params_size_dw(code) : 0;
    const uint32_t size_dw = uniforms_size_dw(code) + params_dw;
    if (!size_dw) return {};
    uint64_t block_va = 0;
    if (code.info.reads_default_block) {
        const uint32_t block_dw = (code.uniform_dw + 3) & ~3u;
        const Pool::Piece p = recorder_.pool.allocate(block_dw * 4, 64);
        programs::put_padded(reinterpret_cast<uint32_t*>(p.cpu), bound, block_dw);
        block_va = p.va;
    }
    return pool_words(recorder_.pool, size_dw, [&](uint32_t* out) {
        out = put_uniforms(out, stage, code, bound, block_va);
        if (!params_dw) return out;
        ParamValues values{.samples = pass_.targets().samples, .patch_vertices = patches_.vertices()};
        if (state_.program->tessellates()) values.patches = patches_.memory(*state_.program);
        return put_params(out, stage, code, values);
    });
}

Segment Tables::resources(pipe::Stage stage) {
    const PoolSegment parts[] = {uniforms(stage), blocks(stage), textures(stage)};
    uint32_t size_dw = 0;
    for (const PoolSegment& s : parts)
        size_dw += s.size_dw;
    if (!size_dw) return {};
    return pool_words(recorder_.pool, size_dw, [&](uint32_t* out) {
        for (const PoolSegment& s : parts)
            out = std::copy_n(s.words, s.size_dw, out);
        return out;
    });
}

PoolSegment Tables::blocks(pipe::Stage stage) {
    const auto count = uint32_t(std::bit_width(stage_code(state_, stage).info.uniform_blocks));
    if (!count) return {};
    static_assert(pipe::kMaxConstantBuffers <= compiler::kDefaultBlock);
    uint32_t words[pipe::kMaxConstantBuffers * hw::Ubo::kSize_dw];
    for (uint32_t i = 0; i < count; ++i) {
        const pipe::BufferRange& range = state_.stages[stage].blocks[i];
        AdrenoResource* const r = range.resource ? &adreno(*range.resource) : nullptr;
        uint64_t base = 0, size_B = 0;
        if (r && range.offset_B < r->layout.size_B) {
            recorder_.read_as_packed(*r, [&] { base = r->va() + range.offset_B; });
            size_B = std::min(range.size_B, r->layout.size_B - range.offset_B);
        }
        pack(uniform_buffer(base, size_B), words + size_t(i) * hw::Ubo::kSize_dw);
    }
    const std::span<const uint32_t> used(words, size_t(count) * hw::Ubo::kSize_dw);
    return pool_words(recorder_.pool, kLoadState_dw + uint32_t(used.size()), [&](uint32_t* out) {
        return put_load_state(out, stage,
                              {.state_type = hw::StateType::ST6_UBO,
                               .state_src = hw::StateSrc::SS6_DIRECT,
                               .state_block = shader_block(stage),
                               .num_unit = count},
                              used);
    });
}

PoolSegment Tables::textures(pipe::Stage stage) {
    const compiler::Info& info = stage_code(state_, stage).info;
    const auto count = uint32_t(std::bit_width(info.textures));
    const uint32_t all = info.texture_count();
    target_samplers_ &= ~stage_bit(stage);
    if (!all) return {};
    const contexts::BoundStage& bound = state_.stages[stage];
    // The piece has the textures' descriptors, the stream, and the samplers'.
    const uint32_t stream_at_dw = all * kTexture_dw, samplers_at_dw = stream_at_dw + kMostTextureState_dw;
    const Pool::Piece piece =
        recorder_.pool.allocate((samplers_at_dw + count * kSampler_dw) * 4, kStreamAlign_B);
    auto* const words = reinterpret_cast<uint32_t*>(piece.cpu);
    const auto descriptor = [&](uint32_t number) { return words + number * kTexture_dw; };
    for (uint32_t left = info.colors_read; left; left &= left - 1) {
        const auto target = uint32_t(std::countr_zero(left));
        uint32_t* const texture = descriptor(info.color_number(target));
        write_null_texture(pipe::ResourceKind::Tex2D, screen_.missing_attribute_va(), texture);
        pass_.read_color(target, texture);
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t* const texture = descriptor(i);
        const auto* const view = static_cast<const AdrenoSamplerView*>(bound.views[i]);
        const AdrenoSampler& sampler = bound.samplers[i]
                                           ? static_cast<const AdrenoSampler&>(*bound.samplers[i])
                                           : *screen_.default_sampler;
        sampler.write(screen_.border_colors(), view ? view->border : BorderForm::Float,
                      words + samplers_at_dw + i * kSampler_dw);
        if (!view) {
            write_null_texture(stage_code(state_, stage).kinds.of(i), screen_.missing_attribute_va(),
                               texture);
            if (info.fetched_apart >> i & 1)
                std::copy_n(texture, kTexture_dw, descriptor(info.fetched_number(i)));
            continue;
        }
        recorder_.read_as_packed(view->image(), view->part, [&] { view->write(texture); });
        if (pass_.has_target(view->image())) target_samplers_ |= stage_bit(stage);
        if (info.fetched_apart >> i & 1)
            std::copy_n(texture, kTexture_dw, descriptor(info.fetched_number(i)));
        // texelFetch ignores the sampler's sRGB decoding.
        else if (info.fetched >> i & 1)
            continue;
        hw::TexConst t;
        if (sampler.desc.skip_srgb_decode && unpack(texture, &t) && t.srgb) {
            t.srgb = false;
            pack(t, texture);
        }
    }
    const uint32_t* const end =
        put_texture_state(words + stream_at_dw, stage, count, piece.va + samplers_at_dw * 4, all, piece.va);
    return {{piece.va + stream_at_dw * 4, uint32_t(end - (words + stream_at_dw))}, words + stream_at_dw};
}

// --- storage -----------------------------------------------------------------------------------------------

namespace {

constexpr uint32_t kMostStorageState_dw = 2 * kLoadState_dw + 5;

/// Loads the stage's part of the table.
uint32_t* put_load(uint32_t* out, pipe::Stage stage, const compiler::Info& info, uint64_t table_va) {
    const bool compute = stage == pipe::Stage::Compute;
    *out++ = hw::pack_type7(compute ? hw::Pm4Opcode::CP_LOAD_STATE6_FRAG : hw::Pm4Opcode::CP_LOAD_STATE6,
                            hw::LoadState::kSize_dw);
    pack(hw::LoadState{.dst_off = info.first_buffer,
                       .state_type = compute ? hw::StateType::ST6_IBO : hw::StateType::ST6_SHADER,
                       .state_src = hw::StateSrc::SS6_INDIRECT,
                       .state_block = compute ? hw::StateBlock::SB6_CS_SHADER : hw::StateBlock::SB6_IBO,
                       .num_unit = ibo_count(info) - info.first_buffer,
                       .address = table_va + uint64_t(info.first_buffer) * kStorageDescriptor_dw * 4},
         out);
    return out + hw::LoadState::kSize_dw;
}

}  // namespace

/// Writes the descriptors of the stage's slots, and notes the resources as used by the recorded work.
void Tables::put_storage(pipe::Stage stage, uint32_t* table) {
    const compiler::Info& info = stage_code(state_, stage).info;
    const contexts::BoundStage& state = state_.stages[stage];
    // A resource that is written keeps its memory until the submission.
    const auto use = [&](pipe::Resource* r, bool writes, auto&& pack) {
        if (!r) return pack();
        if (writes) recorder_.write(adreno(*r));
        recorder_.read_as_packed(adreno(*r), pack);
    };
    for (uint32_t rest = info.buffers; rest; rest &= rest - 1) {
        const auto slot = uint32_t(std::countr_zero(rest));
        use(state.storage_buffers[slot].resource, info.written_buffers >> slot & 1, [&] {
            write_storage_buffer(state.storage_buffers[slot],
                                 table + (info.first_buffer + slot) * kStorageDescriptor_dw);
        });
    }
    for (uint32_t rest = info.images; rest; rest &= rest - 1) {
        const auto slot = uint32_t(std::countr_zero(rest));
        use(state.images[slot].resource, info.written_images >> slot & 1, [&] {
            write_image(state.images[slot], table + (info.first_image + slot) * kStorageDescriptor_dw);
        });
    }
}

Segment Tables::storage(std::span<const pipe::Stage> stages) {
    uint32_t count = 0;
    for (const pipe::Stage stage : stages)
        count = std::max(count, ibo_count(stage_code(state_, stage).info));
    if (!count) return {};
    const Pool::Piece table = recorder_.pool.allocate(count * kStorageDescriptor_dw * 4, 64);
    auto* const words = reinterpret_cast<uint32_t*>(table.cpu);
    std::fill_n(words, count * kStorageDescriptor_dw, 0u);
    for (const pipe::Stage stage : stages)
        put_storage(stage, words);
    return pool_words(recorder_.pool, kMostStorageState_dw, [&](uint32_t* out) {
        for (const pipe::Stage stage : stages)
            if (const compiler::Info& info = stage_code(state_, stage).info; ibo_count(info))
                out = put_load(out, stage, info, table.va);
        if (stages.front() == pipe::Stage::Compute)
            return put_registers(out, hw::SP_CS_IBO{table.va}, hw::SP_CS_IBO_COUNT{count});
        return put_registers(out, hw::SP_IBO{table.va});
    });
}

}  // namespace terrazzo::adreno
