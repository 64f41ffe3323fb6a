// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One table of descriptors for the stages of draws, another for compute. Source: Mesa 25.0.7, fd6_image.cc.
#include "drivers/adreno/passes/storage.h"

#include <algorithm>
#include <bit>

#include "drivers/adreno/images/storage.h"
#include "drivers/adreno/program/pack.h"
#include "drivers/adreno/stream/pool_words.h"

namespace terrazzo::adreno {
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
void Storage::put(pipe::Stage stage, uint32_t* table) {
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

Segment Storage::pack(std::span<const pipe::Stage> stages) {
    uint32_t count = 0;
    for (const pipe::Stage stage : stages)
        count = std::max(count, ibo_count(stage_code(state_, stage).info));
    if (!count) return {};
    const Pool::Piece table = recorder_.pool.allocate(count * kStorageDescriptor_dw * 4, 64);
    auto* const words = reinterpret_cast<uint32_t*>(table.cpu);
    std::fill_n(words, count * kStorageDescriptor_dw, 0u);
    for (const pipe::Stage stage : stages)
        put(stage, words);
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
