// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs AGX code, given as text, on the virtual core. For tests of the core and of compilers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/agx/sim/core/core.h"
#include "drivers/common/host/host.h"

namespace terrazzo::tests::agx {

namespace sim = terrazzo::agx::sim;
namespace isa = terrazzo::agx::isa;

/// Memory of 64 KiB from kMemory_va on, and code of 16 KiB from kCode_va on.
class CodeRunner : window::Space {
  public:
    static constexpr uint64_t kCode_va = 0x10000, kMemory_va = 0x1'0000'0000;

    explicit CodeRunner(sim::Units* units = nullptr) : core(*this, units ? *units : no_units_) {
        group.threads = ~0u;
        group.uniforms = &uniforms;
    }
    /// False: `error` says why the text is no program.
    [[nodiscard]] bool assemble(std::string_view text) {
        std::vector<uint16_t> units;
        isa::Error why;
        if (!isa::assemble(text, &units, &why)) {
            error = why.reason;
            return false;
        }
        set_code(units);
        return true;
    }
    void set_code(const std::vector<uint16_t>& units) {
        std::fill(code_.begin(), code_.end(), uint8_t(0));
        std::memcpy(code_.data(), units.data(), std::min(units.size() * 2, code_.size()));
    }
    /// Runs the group from the begin of the code. Its registers keep what they have.
    sim::Outcome run() {
        core.start(group, kCode_va);
        return go_on();
    }
    sim::Outcome go_on() {
        fault = {};
        const sim::Outcome outcome = core.run(group, &fault);
        error = outcome == sim::Outcome::Fault ? core::to_string(fault, kCode_va) : "";
        return outcome;
    }
    /// A register of 32 bits of a thread.
    [[nodiscard]] uint32_t get(unsigned reg, unsigned thread) const { return wave::at(group.r[reg], thread); }
    void set(unsigned reg, unsigned thread, uint32_t value) { wave::put_at(group.r[reg], thread, value); }
    void set_all(unsigned reg, uint32_t value) {
        for (unsigned t = 0; t < sim::kThreads; ++t)
            set(reg, t, value);
    }
    void bind(unsigned word, uint32_t value) {
        uniforms.bind(2 * word, uint16_t(value));
        uniforms.bind(2 * word + 1, uint16_t(value >> 16));
    }
    [[nodiscard]] uint32_t* memory() { return memory_.data(); }

    sim::Uniforms uniforms;
    sim::SimdGroup group;
    sim::Core core;
    sim::CoreFault fault;
    std::string error;

  private:
    window::Mapping find(uint64_t va) override {
        if (va >= kCode_va && va < kCode_va + code_.size())
            return {kCode_va, kCode_va + code_.size(), code_.data(), false, true};
        if (va >= kMemory_va && va < kMemory_va + memory_.size() * 4)
            return {kMemory_va, kMemory_va + memory_.size() * 4, reinterpret_cast<uint8_t*>(memory_.data()),
                    true};
        return {};
    }
    uint64_t epoch() const override { return 0; }

    sim::Units no_units_;
    std::vector<uint8_t> code_ = std::vector<uint8_t>(16 << 10);
    std::vector<uint32_t> memory_ = std::vector<uint32_t>(16 << 10);
};

}  // namespace terrazzo::tests::agx
