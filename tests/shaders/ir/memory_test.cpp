// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/ir/memory.h"

#include <cstring>

#include "shaders/passes/cse.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/gather_info.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

using Words = std::vector<uint32_t>;

/// Three slots for each storage class: words 100, 101 ..., the second one unbound.
class MemoryEnv : public TestEnv {
  public:
    Words block = Words(8), other = Words(4);
    MemoryRange ranges[3];
    uint32_t tail_B = 0;  // bytes after the last whole word

    std::span<const MemoryRange> slots(Storage space) override {
        if (space == Storage::Shared) return {};
        ranges[0] = {reinterpret_cast<uint8_t*>(block.data()), uint32_t(block.size() * 4) - tail_B};
        ranges[1] = {};
        ranges[2] = {reinterpret_cast<uint8_t*>(other.data()), uint32_t(other.size() * 4)};
        return ranges;
    }
};

MemoryEnv run_in(MemoryEnv env, const Shader& s, InterpMask mask = 0xff) {
    for (uint32_t n = 0; n < env.block.size(); n++)
        env.block[n] = 100 + n;
    for (uint32_t n = 0; n < env.other.size(); n++)
        env.other[n] = 200 + n;
    const auto program = InterpProgram::create(s, 8);
    InterpState state(*program);
    CHECK(run(*program, state, env, mask, 1000) == InterpStatus::Done);
    return env;
}

std::unique_ptr<Shader> vertex(const std::string& body) {
    return shader_of(
        "vertex {\n  %0: i32 = load_sysval vertex_id.x\n  %1: i32 = const 4\n  %2: i32 = imul %0, %1\n" +
            body + "}\n",
        Phase::AfterLink);
}

std::string rule_of(const std::string& line, const char* stage = "vertex") {
    const ParseResult r =
        parse(std::string(stage) + " {\n  var v0 \"b\" void[2] uniform_block\n" +
              "  %0: i32 = const 4\n  %1: f32 = const 1.0\n  %2: bool = const true\n  " + line + "\n}\n");
    REQUIRE_MESSAGE(r.shader, r.error);
    const std::string rule = validate(*r.shader, Phase::Any);
    return rule.substr(0, rule.find(':'));
}

}  // namespace

TEST_CASE("memory: words of a uniform block, 0 beyond its range") {
    const auto s = vertex(R"(  %3: f32, %4: i32 = load_buffer uniform_block binding=0 words=2 offset_B=4 (%2)
  store_output 0.x, %3
  store_output 0.y, %4
)");
    auto env = run_in({}, *s);
    CHECK(env.outputs[0] == Words{101, 102, 103, 104, 105, 106, 107, 0});
    CHECK(env.outputs[1] == Words{102, 103, 104, 105, 106, 107, 0, 0});
    // A word that ends beyond the range reads 0.
    MemoryEnv shorter;
    shorter.tail_B = 1;
    env = run_in(shorter, *s);
    CHECK(env.outputs[0] == Words{101, 102, 103, 104, 105, 106, 0, 0});
}

TEST_CASE("memory: offsets wrap, and are rounded down to words") {
    const auto s = vertex(R"(  %3: i32 = const -4
  %4: i32 = iadd %0, %3
  %5: i32 = load_buffer uniform_block binding=0 (%4)
  %6: i32 = load_buffer uniform_block binding=0 offset_B=8 (%4)
  store_output 0.x, %5
  store_output 0.y, %6
)");
    auto env = run_in({}, *s);
    CHECK(env.outputs[0] == Words{0, 0, 0, 0, 100, 100, 100, 100});
    CHECK(env.outputs[1] == Words{101, 101, 101, 101, 102, 102, 102, 102});
}

TEST_CASE("memory: an index selects a slot, but none beyond its slots") {
    const auto s = vertex(R"(  %3: i32 = const 0
  %4: i32 = load_buffer uniform_block indexed binding=0 slots=3 (%3, %0)
  %5: i32 = buffer_size uniform_block indexed binding=1 slots=5 (%0)
  store_output 0.x, %4
  store_output 0.y, %5
)");
    auto env = run_in({}, *s);
    CHECK(env.outputs[0] == Words{100, 0, 200, 0, 0, 0, 0, 0});
    CHECK(env.outputs[1] == Words{0, 16, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("memory: stores of active lanes, within the range") {
    const auto s = vertex(R"(  %3: i32 = const 24
  %4: i32 = iadd %2, %3
  store_buffer buffer binding=0 words=2 (%2, %0, %0)
  store_buffer buffer binding=2 words=1 offset_B=12 (%2, %4)
  store_buffer buffer binding=1 (%2, %4)
)");
    auto env = run_in({}, *s, 0b10000001);
    CHECK(env.block == Words{0, 0, 102, 103, 104, 105, 106, 7});
    CHECK(env.other == Words{200, 201, 202, 24});
}

TEST_CASE("memory: bytes and halves, for drivers' own shaders") {
    const auto s = vertex(R"(  %3: i32 = const 43981
  store_buffer buffer element_B=1 binding=0 offset_B=3 (%2, %3)
  store_buffer buffer element_B=2 binding=2 offset_B=2 (%2, %3)
)");
    auto env = run_in({}, *s, 3);
    CHECK(env.block == Words{0xcd000064, 0xcd000065, 102, 103, 104, 105, 106, 107});
    CHECK(env.other == Words{0xabcd00c8, 0xabcd00c9, 202, 203});
}

TEST_CASE("memory: atomics return the old value, lane by lane") {
    const auto s = vertex(R"(  %3: i32 = const 8
  %4: i32 = atomic_buffer add buffer coherent binding=0 (%3, %0)
  %5: i32 = const 100
  %6: i32 = const 0
  %7: i32 = atomic_buffer compare_exchange buffer binding=0 (%6, %5, %0)
  %8: i32 = atomic_buffer umax buffer binding=0 offset_B=64 (%6, %5)
  store_output 0.x, %4
  store_output 0.y, %7
  store_output 0.z, %8
)");
    auto env = run_in({}, *s, 0b11110000);
    CHECK(env.block[2] == 102 + 4 + 5 + 6 + 7);
    CHECK(env.outputs[0][4] == 102);
    CHECK(env.outputs[0][7] == 102 + 4 + 5 + 6);
    CHECK(env.block[0] == 4);
    CHECK(env.outputs[1][4] == 100);
    CHECK(env.outputs[1][5] == 4);
    CHECK(env.outputs[2][5] == 0);
}

TEST_CASE("memory: the result of atomics in memory") {
    CHECK(apply(MemOp::Add, 0xffffffff, 0, 2) == 1);
    CHECK(apply(MemOp::IMin, 5, 0, uint32_t(-3)) == uint32_t(-3));
    CHECK(apply(MemOp::UMin, 5, 0, uint32_t(-3)) == 5);
    CHECK(apply(MemOp::IMax, 5, 0, uint32_t(-3)) == 5);
    CHECK(apply(MemOp::UMax, 5, 0, uint32_t(-3)) == uint32_t(-3));
    CHECK(apply(MemOp::And, 6, 0, 3) == 2);
    CHECK(apply(MemOp::Or, 6, 0, 3) == 7);
    CHECK(apply(MemOp::Xor, 6, 0, 3) == 5);
    CHECK(apply(MemOp::Exchange, 6, 0, 3) == 3);
    CHECK(apply(MemOp::CompareExchange, 6, 6, 3) == 3);
    CHECK(apply(MemOp::CompareExchange, 6, 5, 3) == 6);
}

TEST_CASE("memory: helpers load and do not store") {
    const auto s = shader_of(R"(fragment {
  %0: i32 = const 0
  %1: i32 = load_buffer uniform_block binding=0 (%0)
  %2: i32 = const 1
  %3: i32 = atomic_buffer add buffer binding=2 (%0, %2)
  %4: f32 = i2f %1
  %5: f32 = fddx %4
  store_output 0.x, %5
  store_output 0.y, %3
})");
    auto env = run_in({}, *s, 0b0010);
    CHECK(env.other[0] == 201);
    CHECK(env.outputs[0][1] == 0);  // the neighbour loaded the same value
    CHECK(env.outputs[1][1] == 200);
}

TEST_CASE("memory: loads of uniform blocks are merged, other loads are not") {
    const auto s = vertex(R"(  %3: i32 = load_buffer uniform_block binding=0 (%2)
  %4: i32 = load_buffer uniform_block binding=0 (%2)
  %5: i32 = load_buffer uniform_block binding=0 offset_B=4 (%2)
  %6: i32 = load_buffer buffer binding=0 (%2)
  %7: i32 = load_buffer buffer binding=0 (%2)
  %8: i32 = load_buffer buffer volatile binding=0 (%2)
  %9: i32 = load_buffer buffer binding=1 (%2)
  %10: i32 = iadd %3, %4
  %11: i32 = iadd %10, %5
  %12: i32 = iadd %11, %6
  %13: i32 = iadd %12, %7
  store_output 0.x, %13
)");
    (void)cse(*s);
    (void)dce(*s);
    unsigned loads = 0;
    for (const Instr* i = s->body->first; i; i = i->next)
        loads += i->op == Op::LoadBuffer;
    CHECK(loads == 2 + 2 + 1);  // of the last two the volatile one stays
    gather_info(*s);
    CHECK(s->info.uniform_blocks_read == 1);
    CHECK(s->info.buffers_read == 1);
    CHECK(s->info.buffers_written == 0);
    CHECK_FALSE(s->info.writes_memory);
}

TEST_CASE("memory: the validator's rules") {
    CHECK(rule_of("%3: f32 = load_buffer uniform_block var=v0 (%0)") == "");
    CHECK(rule_of("%3: f32 = load_buffer uniform_block binding=3 (%0)") == "");
    CHECK(rule_of("%3: f32 = load_buffer buffer var=v0 (%0)") ==
          "the variable is of the space that is accessed");
    CHECK(rule_of("%3: f32 = load_buffer buffer (%0)") == "an access has a variable or a binding");
    CHECK(rule_of("%3: f32 = load_buffer buffer binding=0 slots=2 (%0)") ==
          "slots are more than one where there is an index");
    CHECK(rule_of("%3: f32 = load_buffer buffer binding=0 slots=0 indexed (%0, %0)") ==
          "slots are more than one where there is an index");
    CHECK(rule_of("%3: f32 = load_buffer image binding=0 (%0)") ==
          "a buffer operation is of a uniform block, storage buffer or shared memory");
    CHECK(rule_of("store_buffer uniform_block binding=0 (%0, %0)") == "uniform blocks are not written");
    CHECK(rule_of("%3: f32 = load_buffer buffer binding=0 words=2 (%0)") ==
          "a memory operation has the operands and results that its payload asks for");
    CHECK(rule_of("load_buffer buffer binding=0 words=0 (%0)") == "an access has 1 to 4 words");
    CHECK(rule_of("%3: bool = load_buffer buffer binding=0 (%0)") == "what is loaded has 32 bits");
    CHECK(rule_of("store_buffer buffer binding=0 (%0, %2)") == "what is stored has 32 bits");
    CHECK(rule_of("%3: i32 = load_buffer buffer binding=0 (%1)") == "offsets and coordinates are i32");
    CHECK(rule_of("%3: i32 = load_buffer buffer binding=0 slots=2 indexed (%0, %1)") == "an index is an i32");
    CHECK(rule_of("%3: i32 = atomic_buffer none buffer binding=0 (%0, %0)") ==
          "an atomic says what it does, and nothing else does");
    CHECK(rule_of("%3: i32 = atomic_buffer add buffer binding=0 (%0, %1)") == "atomics are of i32");
    CHECK(rule_of("store_buffer buffer binding=0 element_B=3 (%0, %0)") ==
          "less than a word is 1 or 2 bytes of one that is stored");
    CHECK(rule_of("%3: i32 = load_buffer shared binding=0 (%0)") == "shared memory is of the compute stage");
    CHECK(rule_of("%3: i32 = load_buffer shared binding=0 (%0)", "compute") == "");
    CHECK(rule_of("%3: i32 = load_buffer shared binding=1 (%0)", "compute") ==
          "shared memory is one range, at binding 0");
    CHECK(rule_of("%3: f32, %4: f32, %5: f32, %6: f32 = load_image image 2d rgba8 binding=0 (%0, %0)") == "");
    CHECK(rule_of("%3: f32, %4: f32, %5: f32, %6: f32 = load_image image 2d binding=0 (%0, %0)") ==
          "an image without a format is only written");
    CHECK(rule_of("%3: i32, %4: i32, %5: i32, %6: i32 = load_image image 2d rgba8 binding=0 (%0, %0)") ==
          "texels have the type of the image's format");
    CHECK(rule_of("store_image image 2d array r32ui writeonly binding=0 (%0, %0, %0, %0, %0, %0, %0)") == "");
    CHECK(rule_of("store_image image 2dms binding=0 (%0, %0, %0, %0, %0, %0)") == "images have one sample");
    CHECK(rule_of("barrier execution=none memory=none ()") == "a barrier waits or orders memory");
    CHECK(rule_of("barrier execution=none memory=device ()") == "a barrier that orders memory says which");
    CHECK(rule_of("barrier execution=device memory=none ()") == "no barrier waits for the whole device");
    CHECK(rule_of("barrier execution=workgroup memory=workgroup shared ()") == "");
}
