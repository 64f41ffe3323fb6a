// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The order of instructions: which ones move, which may not, and the time that this saves.
#include "drivers/common/backend/schedule.h"

#include "drivers/mali/compiler/machine.h"
#include "drivers/mali/compiler/passes.h"
#include "drivers/mali/compiler/timing.h"
#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using mali::compiler::Machine;
using mali::isa::Op;

namespace {

struct Code {
    std::pmr::monotonic_buffer_resource arena;
    Function f{&arena};

    Code() { f.blocks.emplace_back(&arena); }
    void push(const Inst& i) { f.blocks[0].insts.push_back(i); }
    Word varying(unsigned at_B, unsigned count = 2, bool store = false) {
        Inst m;
        m.proto = mali::isa::make(Op::kLdVarBufImmF32);
        m.proto.set_vector_size(mali::isa::VectorSize(count - 1));
        m.proto.set_source_format(mali::isa::SourceFormat::kF32);
        m.proto.set_sample(mali::isa::SampleMode::kCenter);
        m.proto.set_update(store ? mali::isa::UpdateMode::kStore : mali::isa::UpdateMode::kRetrieve);
        m.proto.set_slot(mali::isa::Slot::k0);
        m.proto.set_immediate(mali::isa::Imm::kIndex, int32_t(at_B));
        m.src[0] = Ref::word(register_word(kSampleRegister));
        m.written = f.add_node(count);
        m.written_count = uint8_t(count);
        push(m);
        return m.written;
    }
    Word add(Word a, Word b, Word to = kNoWord) {
        Inst i;
        i.proto = mali::isa::make(Op::kFaddF32);
        i.dest = to == kNoWord ? f.add_node(1) : to;
        i.src[0] = Ref::word(a);
        i.src[1] = Ref::word(b);
        push(i);
        return i.dest;
    }
    Word texture(Word at) {
        Inst m;
        m.proto = mali::isa::make(Op::kTexSingle);
        m.proto.set_slot(mali::isa::Slot::k0);
        m.read = at;
        m.read_count = 2;
        m.src[0] = Ref::uniform(0);
        m.written = f.add_node(2);
        m.written_count = 2;
        push(m);
        return m.written;
    }
    void discard(Word a) {
        Inst i;
        i.proto = mali::isa::make(Op::kDiscardF32);
        i.src[0] = i.src[1] = Ref::word(a);
        push(i);
    }
    /// The end of a fragment shader: all later instructions stay after it.
    void keep(std::initializer_list<Word> words) {
        for (const Word w : words) {
            Inst i = local_access(true, w, 1, 4 * kept++, mali::isa::Slot::k0);
            push(i);
        }
    }
    std::string scheduled(unsigned budget) {
        f.link();
        terrazzo::backend::schedule<Machine>(f, {budget, budget});
        std::string out;
        for (const Inst& i : f.blocks[0].insts) {
            out += i.proto.info().name;
            if (i.dest != kNoWord) out += " " + std::to_string(number_of(i.dest));
            if (i.written_count) out += " @" + std::to_string(number_of(i.written));
            if (i.read_count) out += " <" + std::to_string(number_of(i.read));
            out += "\n";
        }
        return out;
    }
    uint32_t kept = 0;
};

}  // namespace

TEST_CASE("mali schedule: instructions that must be consecutive stay so") {
    Code c;
    const Word a = c.varying(0, 2, true);
    const Word x = c.add(a, a + 1), y = c.add(x, a), z = c.add(y, x);
    c.keep({z});
    CHECK(c.scheduled(28) ==
          "LD_VAR_BUF_IMM.f32 @64\nFADD.f32 66\nFADD.f32 67\nFADD.f32 68\nSTORE.i32 <68\n");
}

TEST_CASE("mali schedule: messages go first, as far as registers allow") {
    const auto code = [](Code& c) {
        const Word a = c.varying(0, 2, true), x = c.add(a, a + 1);
        const Word b = c.varying(16), y = c.add(b, b + 1);
        const Word t = c.texture(b);
        c.keep({c.add(c.add(x, y), t), c.add(t, t + 1)});
    };
    Code many, few;
    code(many);
    // The instructions that the texture waits for are first. Now that load is the last use of the position.
    CHECK(many.scheduled(28) ==
          "LD_VAR_BUF_IMM.f32 @67\nLD_VAR_BUF_IMM.f32 @64\nTEX_SINGLE @70 <67\nFADD.f32 66\nFADD.f32 69\n"
          "FADD.f32 72\nFADD.f32 73\nFADD.f32 74\nSTORE.i32 <73\nSTORE.i32 <74\n");
    CHECK(many.f.blocks[0].insts[0].proto.update() == mali::isa::UpdateMode::kStore);
    CHECK(many.f.blocks[0].insts[1].proto.update() == mali::isa::UpdateMode::kRetrieve);
    code(few);
    const std::string order = few.scheduled(3);
    CAPTURE(order);
    CHECK(order.find("FADD.f32 66") < order.find("TEX"));
}

TEST_CASE("mali schedule: memory and ends of threads keep their order") {
    Code c;
    const Word a = c.varying(0, 2, true);
    c.keep({a});
    Inst load = local_access(false, c.f.add_node(1), 1, 0, mali::isa::Slot::k1);
    c.push(load);
    const Word x = c.add(load.written, a);
    c.discard(x);
    const Word t = c.texture(a);
    c.keep({c.add(t, t + 1)});
    CHECK(
        c.scheduled(28) ==
        "LD_VAR_BUF_IMM.f32 @64\nSTORE.i32 <64\nLOAD.i32 @66\nFADD.f32 67\nDISCARD.f32\nTEX_SINGLE @68 <64\n"
        "FADD.f32 70\nSTORE.i32 <70\n");
}

TEST_CASE("mali schedule: a store to a thread's own memory does not hide one before it to a buffer") {
    Code c;
    const auto access = [&](bool store, bool local, Word word) {
        Inst i = local_access(store, word, 1, 0, mali::isa::Slot::k0);
        i.local = local;
        if (!local) i.src[0] = Ref::word(register_word(kSampleRegister));
        c.push(i);
    };
    const Word a = c.varying(0, 2, true), x = c.f.add_node(1);
    access(true, false, a);
    access(true, true, a + 1);
    access(false, false, x);
    const Word y = c.add(x, a);
    access(true, true, y);
    // The load takes the longest time, and would be first if it did not have to wait.
    CHECK(c.scheduled(28) ==
          "LD_VAR_BUF_IMM.f32 @64\nSTORE.i32 <64\nLOAD.i32 @66\nSTORE.i32 <65\nFADD.f32 67\n"
          "STORE.i32 <67\n");
}

TEST_CASE("mali schedule: a thread that ended stores nothing") {
    Code c;
    const Word a = c.varying(0, 2, true);
    const Word x = c.add(a, a + 1);
    c.discard(x);
    Inst store = local_access(true, a, 1, 0, mali::isa::Slot::k0);
    store.local = false;
    store.src[0] = Ref::word(register_word(kSampleRegister));
    c.push(store);
    CHECK(c.scheduled(28) == "LD_VAR_BUF_IMM.f32 @64\nFADD.f32 66\nDISCARD.f32\nSTORE.i32 <64\n");
}

TEST_CASE("mali slots: messages with uses at different times are waited for separately") {
    Code c;
    const Word a = c.varying(0, 2, true), b = c.varying(16), d = c.varying(32), e = c.varying(48);
    Word sum = c.add(a, a + 1);
    for (const Word w : {b, d})
        sum = c.add(sum, w);
    for (unsigned k = 0; k < 30; k++)
        sum = c.add(sum, sum);
    c.keep({c.add(sum, e)});
    c.f.link();
    for (const Word w : c.f.all_words())
        c.f.reg.push_back(backend::Unit(
            number_of(w) < kRegisterWords ? number_of(w) : std::min(w - register_word(kRegisterWords), 8u)));
    assign_slots(c.f);
    const auto slot = [&](unsigned n) { return unsigned(c.f.blocks[0].insts[n].proto.slot()); };
    CHECK(slot(0) != slot(1));
    CHECK(slot(1) != slot(2));
    CHECK(slot(0) != slot(2));
    // When the last of these is waited for, the fourth has almost ended.
    CHECK(slot(3) == slot(2));
}

TEST_CASE("mali timing: a wait takes the remaining time of its message") {
    const auto clocks = [](const char* text) {
        std::vector<uint64_t> words;
        REQUIRE(mali::isa::assemble(text, &words, nullptr));
        return alone_clk(words);
    };
    CHECK(clocks("MOV.i32 r0, r1\nMOV.i32 r0, r1\nNOP.end\n") == 3);
    const uint32_t alone = clocks("LOAD.i32.unsigned.slot0.wait0 @r4, r0, offset:0\nNOP.end\n");
    CHECK(alone > 20);
    CHECK(clocks("LOAD.i32.unsigned.slot0 @r4, r0, offset:0\nMOV.i32 r2, r3\nNOP.wait0\nNOP.end\n") == alone);
    CHECK(
        clocks("LOAD.i32.unsigned.slot0 @r4, r0, offset:0\nLOAD.i32.unsigned.slot1.wait0 @r5, r0, offset:0\n"
               "NOP.end\n") == alone);
    CHECK(clocks("LOAD.i32.unsigned.slot0.wait0 @r4, r0, offset:0\nLOAD.i32.unsigned.slot1.wait1 @r5, r0, "
                 "offset:0\nNOP.end\n") == 2 * alone - 1);
    CHECK(clocks("FRCP.f32 r0, r1\nNOP.end\n") == 5);
}

TEST_CASE("mali allocation: vectors that are loaded and stored unchanged stay in their registers") {
    const auto program = compiled::link(
        "attribute vec4 p; attribute mat4 m; varying mat4 a; void main() { gl_Position = p; a = m; }",
        "precision mediump float; varying mat4 a; void main() { gl_FragColor = a[0] + a[1] + a[2] + a[3]; }");
    REQUIRE(program);
    const Binary b = compile(*program->stages[size_t(ir::Stage::Vertex)], Part::Varying);
    REQUIRE(b.error == "");
    for (uint64_t word : b.code) {
        mali::isa::Instr i;
        if (word && mali::isa::decode(word, &i, nullptr)) CHECK(i.op != Op::kMovI32);
    }
}
