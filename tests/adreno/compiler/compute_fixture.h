// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compute shaders with 16 invocations: compiled code on the virtual GPU's core. The test provides the memory.
#pragma once

#include "tests/adreno/compiler/execute.h"
#include "tests/common/compiler/memory_cases.h"

namespace terrazzo::adreno::compiler::testing {

/// Does nothing, except what a test overrides.
class MemoryUnits : public sim::Units {
  public:
    bool texture(sim::UnitCall&, std::string*) override { return false; }
    bool varying(sim::UnitCall&, std::string*) override { return false; }
    bool uniform_buffer(sim::UnitCall&, std::string*) override { return false; }
    bool image(sim::UnitCall&, std::string*) override { return false; }
};

/// The type of an atomic instruction.
inline ir::MemOp op_of(const isa::Instr& i) {
    const bool is_signed = i.atomic_type() == isa::AtomicType::kS32;
    switch (i.op) {
        case isa::Op::kAtomicBMin:
            return is_signed ? ir::MemOp::IMin : ir::MemOp::UMin;
        case isa::Op::kAtomicBMax:
            return is_signed ? ir::MemOp::IMax : ir::MemOp::UMax;
        case isa::Op::kAtomicBXchg:
            return ir::MemOp::Exchange;
        case isa::Op::kAtomicBCmpxchg:
            return ir::MemOp::CompareExchange;
        case isa::Op::kAtomicBAnd:
            return ir::MemOp::And;
        case isa::Op::kAtomicBOr:
            return ir::MemOp::Or;
        case isa::Op::kAtomicBXor:
            return ir::MemOp::Xor;
        default:
            return ir::MemOp::Add;
    }
}

/// The error, or "".
inline std::string run_compute(const Binary& b, sim::Units& units, std::span<uint32_t> shared = {}) {
    Memory memory(b, size_t(b.info.private_B) * sim::kMaxLanes);
    sim::Core core(memory, units);
    const auto wave = std::make_unique<sim::Wave>();
    wave->check_defined = true;
    std::vector<uint32_t> constants = constants_of(b, {});
    wave->constants = wave->writable_constants = constants;
    wave->lanes = sim::LaneMask::first(kLanes);
    wave->full_registers = std::max<unsigned>(b.info.full_registers, 1);
    wave->branch_stack = b.info.branch_stack;
    wave->shared = {reinterpret_cast<uint8_t*>(shared.data()), shared.size_bytes()};
    sim::Core::start(*wave, Memory::kCode, wave->lanes);
    const SystemValues& s = b.info.system;
    fill(*wave, s.local_id, 3, false, [](unsigned k, unsigned i) { return k ? 0 : i; });
    fill(*wave, s.workgroup_id, 3, false, [](unsigned, unsigned) { return 0u; });
    sim::CoreFault fault;
    sim::Outcome outcome = core.run(*wave, &fault);
    while (outcome == sim::Outcome::Barrier)
        outcome = core.run(*wave, &fault);
    return outcome == sim::Outcome::Done ? "" : to_string(fault, Memory::kCode);
}

/// Compiles a shader, and returns run(binary).
template <class F>
std::string compile_and_run(const ir::Shader& shader, const F& run) {
    const Binary binary = compile(shader, {.validate = true});
    REQUIRE(binary.error == "");
    CAPTURE(isa::disassemble(binary.code));
    return run(binary);
}

}  // namespace terrazzo::adreno::compiler::testing
