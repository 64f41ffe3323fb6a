// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State that CP_LOAD_STATE6* loads for shaders. Code is not copied: shaders run from memory. Nor are
// descriptors of bindless tables, which the units read from memory; both must be mapped.
#include <algorithm>

#include "drivers/adreno/hw/load_state.h"
#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/cp/command_processor.h"

namespace terrazzo::adreno::sim {

using namespace hw;

namespace {

constexpr uint32_t kMaxConstants = 512;  // vectors of a stage's const file

bool is_compute(StateBlock block) {
    return block == StateBlock::SB6_CS_TEX || block == StateBlock::SB6_CS_SHADER ||
           block == StateBlock::SB6_CS_IBO;
}

Stage stage_of(StateBlock block) {
    if (block == StateBlock::SB6_IBO) return Stage::Fragment;
    return block == StateBlock::SB6_CS_IBO ? Stage::Compute : Stage(unsigned(block) & 7);
}

std::vector<uint32_t>* place_of(StateKind kind, StageState& stage) {
    switch (kind) {
        case StateKind::Unknown:
        case StateKind::Code:
            return nullptr;
        case StateKind::Constants:
            return &stage.constants;
        case StateKind::Samplers:
            return &stage.samplers;
        case StateKind::Textures:
            return &stage.textures;
        case StateKind::UniformBuffers:
            return &stage.uniform_buffers;
        case StateKind::Images:
            return &stage.images;
    }
    return nullptr;
}

}  // namespace

CommandProcessor::Step CommandProcessor::load_state(Payload payload) {
    const LoadState load = unpacked<CpLoadState6>(payload).load;
    const StateKind kind = state_kind(load);
    if (kind == StateKind::Unknown ||
        unsigned(load.state_block) % 8 >= 6 + 2 * (unsigned(load.state_block) / 8))
        return fail(FaultKind::Hardware, "there is no state of type %u in block %u",
                    unsigned(load.state_type), unsigned(load.state_block));
    const bool bindless = load.state_src == StateSrc::SS6_BINDLESS;
    const bool is_table = bindless && kind != StateKind::Code && kind != StateKind::Constants;
    const uint32_t unit_dw = is_table ? kBindlessDescriptor_dw : state_unit_dw(kind);
    if (kind == StateKind::Constants && load.dst_off + load.num_unit > kMaxConstants)
        return fail(FaultKind::Hardware, "constants %u to %u: a stage has %u vectors", load.dst_off,
                    load.dst_off + load.num_unit - 1, kMaxConstants);
    std::vector<uint32_t>& words = loaded_;
    if (!load_words(load, payload.subspan(CpLoadState6::kSize_dw), load.num_unit * unit_dw, &words))
        return Step::Fault;
    StageState& stage = machine_.stages[unsigned(stage_of(load.state_block))];
    std::vector<uint32_t>* const place = is_table ? nullptr : place_of(kind, stage);
    if (!place) return Step::Next;
    const size_t first_dw = size_t(load.dst_off) * unit_dw;
    if (place->size() < first_dw + words.size()) place->resize(first_dw + words.size());
    std::copy(words.begin(), words.end(), place->begin() + ptrdiff_t(first_dw));
    ++stage.serial;
    return Step::Next;
}

bool CommandProcessor::load_words(const LoadState& load, Payload tail, uint32_t size_dw,
                                  std::vector<uint32_t>* words) {
    if (load.state_src == StateSrc::SS6_DIRECT) {
        if (tail.size() != size_dw) {
            fail(FaultKind::Hardware, "%zu words follow for %u words of state", tail.size(), size_dw);
            return false;
        }
        words->assign(tail.begin(), tail.end());
        return true;
    }
    if (!tail.empty()) {
        fail(FaultKind::Hardware, "%zu words follow, which nothing reads", tail.size());
        return false;
    }
    if (load.state_src == StateSrc::SS6_UBO) return load_from_uniform_buffer(load, size_dw, words);
    uint64_t va = load.address & ~uint64_t(3);
    if (load.state_src == StateSrc::SS6_BINDLESS) {
        // A base register's number in 4 bits, and an offset in words.
        const uint32_t base = uint32_t(load.address) >> 28;
        const uint32_t reg =
            (is_compute(load.state_block) ? uint32_t(HLSQ_CS_BINDLESS_BASE_DESCRIPTOR::kRegister)
                                          : uint32_t(HLSQ_BINDLESS_BASE_DESCRIPTOR::kRegister)) +
            base * 2;
        if (base >= HLSQ_BINDLESS_BASE_DESCRIPTOR::kCount || !machine_.registers.is_set(uint16_t(reg))) {
            fail(FaultKind::Hardware, "the base %u of the bindless table was never written", base);
            return false;
        }
        va = (machine_.registers.address(uint16_t(reg)) & ~uint64_t(3)) + 4 * (load.address & 0xffffff);
    }
    words->resize(size_dw);
    return !size_dw || read_by_uche(va, words->data(), words->size() * 4);
}

bool CommandProcessor::load_from_uniform_buffer(const LoadState& load, uint32_t size_dw,
                                                std::vector<uint32_t>* words) {
    const uint32_t number = uint32_t(load.address) >> 16, offset_B = uint32_t(load.address) & 0xffff;
    const std::vector<uint32_t>& buffers =
        machine_.stages[unsigned(stage_of(load.state_block))].uniform_buffers;
    if (size_t(number) * Ubo::kSize_dw + Ubo::kSize_dw > buffers.size()) {
        fail(FaultKind::Hardware, "uniform buffer %u was never loaded", number);
        return false;
    }
    Ubo buffer;
    unpack(&buffers[size_t(number) * Ubo::kSize_dw], &buffer);
    if (offset_B + uint64_t(size_dw) * 4 > uint64_t(buffer.size) * 16) {
        fail(FaultKind::Hardware, "%u words from byte %u of uniform buffer %u, which has %u bytes", size_dw,
             offset_B, number, buffer.size * 16);
        return false;
    }
    words->resize(size_dw);
    return !size_dw || read_by_uche(buffer.base + offset_B, words->data(), words->size() * 4);
}

}  // namespace terrazzo::adreno::sim
