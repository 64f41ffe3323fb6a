// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compute shaders with uniform blocks, storage buffers, shared memory and their atomics: compiled code on the
// virtual GPU's core compared with the IR's meaning of each access (shaders/ir/memory.h).
#include "tests/adreno/compiler/compute_fixture.h"

using namespace terrazzo;
using namespace terrazzo::adreno::compiler;
using namespace terrazzo::adreno::compiler::testing;

namespace {

using compiled::Buffers, compiled::kWords;

/// Uniform buffer 0 and storage buffer 0, one lane after another.
class Units : public MemoryUnits {
  public:
    explicit Units(Buffers& b) : b_(b) {}
    bool uniform_buffer(adreno::sim::UnitCall& call, std::string*) override {
        for (unsigned k = 0; k < call.instr.components(); k++)
            for (unsigned i = 0; i < kLanes; i++) {
                const uint64_t at = uint64_t(call.in[0][0][i]) * 4 + call.instr.first_component() + k;
                call.out[k][0][i] = call.texture == 0 && at < kWords ? b_.block[at] : 0;
            }
        return true;
    }
    bool image(adreno::sim::UnitCall& call, std::string* why) override {
        using adreno::isa::Op;
        const adreno::isa::Instr& instr = call.instr;
        if (call.texture != 0) return *why = "another buffer", false;
        for (unsigned i = 0; i < kLanes; i++) {
            if (!call.active.has(i)) continue;
            for (unsigned k = 0; k < instr.components(); k++) {
                const uint64_t at = uint64_t(call.in[0][0][i]) + k;
                uint32_t* const word = at < kWords ? &b_.storage[at] : nullptr;
                const uint32_t data = call.in[8 + k][0][i], next = call.in[9 + k][0][i];
                if (instr.op == Op::kResinfoB)
                    call.out[0][0][i] = kWords;
                else if (instr.op == Op::kStibB && word)
                    *word = data;
                else if (instr.op == Op::kLdibB)
                    call.out[k][0][i] = word ? *word : 0;
                else if (instr.op == Op::kAtomicBCmpxchg)
                    call.out[0][0][i] = ir::exchange(word, ir::MemOp::CompareExchange, next, data);
                else if (instr.op != Op::kStibB)
                    call.out[0][0][i] = ir::exchange(word, op_of(instr), 0, data);
            }
        }
        return true;
    }

  private:
    Buffers& b_;
};

}  // namespace

TEST_CASE("adreno compiler: buffers and shared memory have the IR's meaning") {
    compiled::check_buffers([](const ir::Shader& shader, compiled::Buffers& buffers) {
        return compile_and_run(shader, [&](const Binary& binary) {
            Units units(buffers);
            return run_compute(binary, units, buffers.shared);
        });
    });
}
