// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compute shaders with uniform blocks, storage buffers, shared memory and their atomics: compiled code on the virtual GPU's core
// against the IR's meaning of each access (shaders/ir/memory.h).
#include "shaders/ir/memory.h"
#include "tests/adreno/compiler/execute.h"

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

/// Uniform buffer 0 and storage buffer 0, a lane after the other.
class Units : public adreno::sim::Units {
  public:
    explicit Units(Buffers& b) : b_(b) {}
    bool texture(adreno::sim::UnitCall&, std::string*) override { return false; }
    bool varying(adreno::sim::UnitCall&, std::string*) override { return false; }
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
    static ir::MemOp op_of(const adreno::isa::Instr& i) {
        const bool is_signed = i.atomic_type() == adreno::isa::AtomicType::kS32;
        switch (i.op) {
            case adreno::isa::Op::kAtomicBMin:
                return is_signed ? ir::MemOp::IMin : ir::MemOp::UMin;
            case adreno::isa::Op::kAtomicBMax:
                return is_signed ? ir::MemOp::IMax : ir::MemOp::UMax;
            case adreno::isa::Op::kAtomicBXchg:
                return ir::MemOp::Exchange;
            case adreno::isa::Op::kAtomicBAnd:
                return ir::MemOp::And;
            case adreno::isa::Op::kAtomicBOr:
                return ir::MemOp::Or;
            case adreno::isa::Op::kAtomicBXor:
                return ir::MemOp::Xor;
            default:
                return ir::MemOp::Add;
        }
    }
    Buffers& b_;
};

class Meaning : public ir::InterpEnv {
  public:
    explicit Meaning(Buffers& b) {
        std::vector<uint32_t>* const words[] = {&b.block, &b.storage, &b.shared};
        for (unsigned k = 0; k < 3; k++)
            ranges_[k] = {reinterpret_cast<uint8_t*>(words[k]->data()), kWords * 4};
    }
    void load_input(const ir::IoInfo&, ir::Type, const uint32_t*, uint32_t*) override {}
    void load_sysval(ir::Sysval s, unsigned component, ir::Type, uint32_t* out) override {
        const bool counts =
            (s == ir::Sysval::LocalInvocationId && component == 0) || s == ir::Sysval::LocalInvocationIndex;
        for (unsigned i = 0; i < kLanes; i++)
            out[i] = counts ? i : 0;
    }
    void store_output(const ir::IoInfo&, ir::Type, ir::InterpMask, const uint32_t*) override {}
    void tex(ir::InterpTex&) override {}
    std::span<const ir::MemoryRange> slots(ir::Storage space) override {
        const unsigned k = space == ir::Storage::UniformBlock ? 0 : space == ir::Storage::Buffer ? 1 : 2;
        return {&ranges_[k], 1};
    }

  private:
    ir::MemoryRange ranges_[3];
};

void run_compute(const Binary& b, Buffers& buffers, std::string* error) {
    Memory memory(b, size_t(b.info.private_B) * adreno::sim::kMaxLanes);
    Units units(buffers);
    adreno::sim::Core core(memory, units);
    core.check_defined = true;
    const auto wave = std::make_unique<adreno::sim::Wave>();
    std::vector<uint32_t> constants = constants_of(b, {});
    wave->constants = wave->writable_constants = constants;
    wave->lanes = adreno::sim::LaneMask::first(kLanes);
    wave->full_registers = std::max<unsigned>(b.info.full_registers, 1);
    wave->branch_stack = b.info.branch_stack;
    wave->shared = {reinterpret_cast<uint8_t*>(buffers.shared.data()), kWords * 4};
    adreno::sim::Core::start(*wave, Memory::kCode, wave->lanes);
    const SystemValues& s = b.info.system;
    fill(*wave, s.local_id, 3, false, [](unsigned k, unsigned i) { return k ? 0 : i; });
    fill(*wave, s.workgroup_id, 3, false, [](unsigned, unsigned) { return 0u; });
    adreno::sim::CoreFault fault;
    adreno::sim::Outcome outcome = core.run(*wave, &fault);
    while (outcome == adreno::sim::Outcome::Barrier)
        outcome = core.run(*wave, &fault);
    if (outcome != adreno::sim::Outcome::Done) *error = to_string(fault, Memory::kCode);
}

void check(const std::string& body) {
    CAPTURE(body);
    std::string log;
    const auto program = compiled::link_compute(
        "#version 310 es\nlayout(local_size_x = 16) in;\nlayout(std140, binding = 0) uniform U { ivec4 "
        "u[16]; };\n"
        "layout(std430, binding = 0) buffer B { int b[]; };\nshared int s[64];\nvoid main() { int l = "
        "int(gl_LocalInvocationIndex);\n" +
            body + " }",
        &log);
    CAPTURE(log);
    REQUIRE(program);
    const ir::Shader& shader = *program->stages[size_t(ir::Stage::Compute)];
    const Binary binary = compile(shader, {.validate = true});
    REQUIRE(binary.error == "");
    CAPTURE(adreno::isa::disassemble(binary.code));
    for (unsigned seed = 1; seed < 4; seed++) {
        Buffers expected = random_buffers(seed), got = expected;
        Meaning env(expected);
        const auto code = ir::InterpProgram::create(shader, kLanes);
        ir::InterpState state(*code);
        REQUIRE(ir::run(*code, state, env, 0xffff, 1 << 20) == ir::InterpStatus::Done);
        std::string error;
        run_compute(binary, got, &error);
        CHECK(error == "");
        CHECK(got.storage == expected.storage);
        CHECK(got.shared == expected.shared);
    }
}

}  // namespace

TEST_CASE("adreno compiler: buffers and shared memory as the IR means them") {
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
