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

// By StateKind. Null: nothing is kept.
constexpr std::vector<uint32_t> StageState::*kPlaces[] = {nullptr,
                                                          nullptr,
                                                          &StageState::constants,
                                                          &StageState::samplers,
                                                          &StageState::textures,
                                                          &StageState::uniform_buffers,
                                                          &StageState::images};
static_assert(unsigned(StateKind::Images) + 1 == std::size(kPlaces));

}  // namespace

struct CommandProcessor::Loads : Family {
    Step run(const CpLoadState6& p) { return run(p.load); }
    Step run(const CpLoadState6Geom& p) { return run(p.load); }
    Step run(const CpLoadState6Frag& p) { return run(p.load); }
    Step run(const LoadState& load) {
        const StateKind kind = state_kind(load);
        if (kind == StateKind::Unknown ||
            unsigned(load.state_block) % 8 >= 6 + 2 * (unsigned(load.state_block) / 8))
            return c.bad("there is no state of type %u in block %u", unsigned(load.state_type),
                         unsigned(load.state_block));
        const bool bindless = load.state_src == StateSrc::SS6_BINDLESS;
        const bool is_table = bindless && kind != StateKind::Code && kind != StateKind::Constants;
        const uint32_t unit_dw = is_table ? kBindlessDescriptor_dw : state_unit_dw(kind);
        if (kind == StateKind::Constants && load.dst_off + load.num_unit > kMaxConstants)
            return c.bad("constants %u to %u: a stage has %u vectors", load.dst_off,
                         load.dst_off + load.num_unit - 1, kMaxConstants);
        std::vector<uint32_t>& words = c.loaded_;
        words.resize(load.num_unit * unit_dw);
        if (const Step step = read(load); step != Step::Next) return step;
        StageState& stage = m.stages[unsigned(stage_of(load.state_block))];
        const auto kept = kPlaces[unsigned(kind)];
        if (is_table || !kept) return Step::Next;
        std::vector<uint32_t>& place = stage.*kept;
        const size_t first_dw = size_t(load.dst_off) * unit_dw;
        if (place.size() < first_dw + words.size()) place.resize(first_dw + words.size());
        std::copy(words.begin(), words.end(), place.begin() + ptrdiff_t(first_dw));
        ++stage.serial;
        return Step::Next;
    }
    /// Fills `loaded_`, which has the load's size.
    Step read(const LoadState& load) {
        std::vector<uint32_t>& words = c.loaded_;
        const Payload tail = payload.subspan(CpLoadState6::kSize_dw);
        const Registers& r = m.registers;
        uint64_t va = load.address & ~uint64_t(3);
        if (load.state_src == StateSrc::SS6_DIRECT) {
            if (tail.size() != words.size())
                return c.bad("%zu words follow for %zu words of state", tail.size(), words.size());
            words.assign(tail.begin(), tail.end());
            return Step::Next;
        }
        if (!tail.empty()) return c.bad("%zu words follow, which nothing reads", tail.size());
        if (load.state_src == StateSrc::SS6_UBO) {
            const uint32_t number = uint32_t(load.address) >> 16, offset_B = uint32_t(load.address) & 0xffff;
            const auto& buffers = m.stages[unsigned(stage_of(load.state_block))].uniform_buffers;
            if (size_t(number) * Ubo::kSize_dw + Ubo::kSize_dw > buffers.size())
                return c.bad("uniform buffer %u was never loaded", number);
            Ubo buffer;
            unpack(&buffers[size_t(number) * Ubo::kSize_dw], &buffer);
            if (offset_B + words.size() * 4 > uint64_t(buffer.size) * 16)
                return c.bad("%zu words from byte %u of uniform buffer %u, which has %u bytes", words.size(),
                             offset_B, number, buffer.size * 16);
            va = buffer.base + offset_B;
        } else if (load.state_src == StateSrc::SS6_BINDLESS) {
            // A base register's number in 4 bits, and an offset in words.
            const uint32_t base = uint32_t(load.address) >> 28;
            const uint32_t first = is_compute(load.state_block)
                                       ? uint32_t(HLSQ_CS_BINDLESS_BASE_DESCRIPTOR::kRegister)
                                       : uint32_t(HLSQ_BINDLESS_BASE_DESCRIPTOR::kRegister);
            const uint16_t reg = uint16_t(first + base * 2);
            if (base >= HLSQ_BINDLESS_BASE_DESCRIPTOR::kCount || !r.is_set(reg))
                return c.bad("the base %u of the bindless table was never written", base);
            va = (r.address(reg) & ~uint64_t(3)) + 4 * (load.address & 0xffffff);
        }
        return result(words.empty() || c.read_by_uche(va, words.data(), words.size() * 4));
    }
};

void CommandProcessor::add_loads(Handlers* handlers) {
    add<Loads, CpLoadState6, CpLoadState6Geom, CpLoadState6Frag>(handlers);
}

}  // namespace terrazzo::adreno::sim
