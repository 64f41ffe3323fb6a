// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compute shaders with uniform blocks, storage buffers, shared memory and their atomics: compiled code on the
// virtual GPU's core compared with the IR's meaning of each access (shaders/ir/memory.h).
#include "shaders/ir/memory.h"
#include "tests/adreno/compiler/compute_fixture.h"

using namespace terrazzo;
using namespace terrazzo::adreno::compiler;
using namespace terrazzo::adreno::compiler::testing;

namespace {

constexpr unsigned kWords = 64;

struct Buffers {
    std::vector<uint32_t> block = std::vector<uint32_t>(kWords), storage = std::vector<uint32_t>(kWords),
                          shared = std::vector<uint32_t>(kWords);
};

Buffers random_buffers(unsigned seed) {
    Buffers out;
    std::mt19937 random(seed);
    for (unsigned k = 0; k < kWords; k++) {
        out.block[k] = uint32_t(random() % 1000);
        out.storage[k] = uint32_t(random() % 1000);
    }
    return out;
}

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

class Meaning : public ComputeMeaning {
  public:
    explicit Meaning(Buffers& b) {
        std::vector<uint32_t>* const words[] = {&b.block, &b.storage, &b.shared};
        for (unsigned k = 0; k < 3; k++)
            ranges_[k] = {reinterpret_cast<uint8_t*>(words[k]->data()), kWords * 4};
    }
    std::span<const ir::MemoryRange> slots(ir::Storage space) override {
        const unsigned k = space == ir::Storage::UniformBlock ? 0 : space == ir::Storage::Buffer ? 1 : 2;
        return {&ranges_[k], 1};
    }

  private:
    ir::MemoryRange ranges_[3];
};

void check(const std::string& body) {
    CAPTURE(body);
    check_compute(
        "#version 310 es\nlayout(local_size_x = 16) in;\nlayout(std140, binding = 0) uniform U { ivec4 "
        "u[16]; };\n"
        "layout(std430, binding = 0) buffer B { int b[]; };\nshared int s[64];\nvoid main() { int l = "
        "int(gl_LocalInvocationIndex);\n" +
            body + " }",
        [&](unsigned seed, const Binary& binary, auto&& run) {
            Buffers expected = random_buffers(seed), got = expected;
            Meaning env(expected);
            run(env);
            Units units(got);
            CHECK(run_compute(binary, units, got.shared) == "");
            CHECK(got.storage == expected.storage);
            CHECK(got.shared == expected.shared);
        });
}

}  // namespace

TEST_CASE("adreno compiler: buffers and shared memory have the IR's meaning") {
    check("b[l] = u[l].x + u[l & 3].w;");
    check("ivec4 v = u[2] + u[b[l] & 15]; b[l] = v.x + v.y - v.z * v.w;");
    check("b[l + 20] = b[l * 3] + b[1000 + l]; b[2000] = 3;");
    check("b[l] = u[l & 7][l & 3];");
    check("b[l] = int(b.length()) + l;");
    check("s[l] = b[l] * 2; barrier(); b[l] = s[15 - l] + s[(l + 5) & 15];");
    check("atomicAdd(b[l & 3], l); atomicMax(b[8 + (l & 1)], l * 100 - 700); atomicXor(b[20], l);");
    check("atomicCompSwap(b[l], b[l] & ~1, 7); b[l + 32] = atomicExchange(b[l + 16], l);");
    check(
        "s[l] = 0; s[l + 16] = -l; barrier(); atomicAdd(s[l & 3], l); atomicMin(s[16 + (l & 1)], l - 9); "
        "barrier(); b[l] = s[l] + "
        "s[l + 16];");
    check("s[l] = l; barrier(); b[l] = atomicCompSwap(s[l], 5, 100) + s[l];");
    check("if (b[l] > 500) { for (int i = 0; i < l; i++) b[l] += u[i & 15].y; } else b[l] = -b[l];");
}
