// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/mali/decode/stream_builder.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::mali::hw;

namespace {

/// The lines without addresses and words.
std::string texts(const Decoded& d) {
    std::string out;
    size_t at = 0;
    while (at < d.text.size()) {
        const size_t end = d.text.find('\n', at);
        std::string line = d.text.substr(at, end - at);
        const size_t begin = line.find_first_not_of(' ');
        if (line.find('!') == std::string::npos && line.size() > begin + 32)
            line = line.substr(0, begin) + line.substr(begin + 32);
        out += line + '\n';
        at = end + 1;
    }
    return out;
}

}  // namespace

TEST_CASE("mali decode: arithmetic, loads and stores") {
    TestMemory memory;
    memory.put_words(0x2000, {0x11, 0x22, 0x33, 0x44});
    const uint64_t size = memory.put_stream(
        0x1000, {pack64(CsMove{.immediate = 0x2000, .destination = 10}),
                 pack64(CsLoadMultiple{.offset = 4, .mask = 0x5, .address = 10, .base_register = 20}),
                 pack64(CsAddImmediate32{.immediate = -1, .source = 20, .destination = 21}),
                 pack64(CsAddImmediate64{.immediate = -0x2001, .source = 10, .destination = 30}),
                 pack64(CsUmin32{.source_1 = 20, .source_2 = 22, .destination = 23}),
                 pack64(CsStoreMultiple{.offset = 0, .mask = 0x1, .address = 10, .base_register = 21}),
                 pack64(CsLoadMultiple{.offset = 0, .mask = 0x1, .address = 10, .base_register = 24}),
                 pack64(CsMove32{.immediate = 0xdeadbeef, .destination = 95})});
    const Decoded d = decoded(memory, 0x1000, size);
    CHECK(d.complete);
    CHECK(d.text ==
          "000000001000  010a000000002000  MOVE d10, #0x2000\n"
          "000000001008  14140a0000050004  LOAD_MULTIPLE r20:r22, [d10 + 4]\n"
          "000000001010  10151400ffffffff  ADD_IMMEDIATE32 r21, r20, #-1\n"
          "000000001018  111e0a00ffffdfff  ADD_IMMEDIATE64 d30, d10, #-8193\n"
          "000000001020  1217161400000000  UMIN32 r23, r20, r22\n"
          "000000001028  15150a0000010000  STORE_MULTIPLE [d10], r21\n"
          "000000001030  14180a0000010000  LOAD_MULTIPLE r24, [d10]\n"
          "000000001038  025f0000deadbeef  MOVE32 r95, #0xDEADBEEF\n");
    CHECK(d.registers.get(20) == 0x22);
    CHECK(d.registers.get(21) == 0x21);
    CHECK(d.registers.get(22) == 0x44);
    CHECK(d.registers.get(23) == 0x22);
    CHECK(d.registers.get(24) == 0x21);  // the value that the stream stored
    CHECK(d.registers.get(30) == 0xffffffff);
    CHECK(d.registers.get(31) == 0xffffffff);
    CHECK(d.registers.is_set(95));
    CHECK_FALSE(d.registers.is_set(94));
    uint32_t word = 0;
    CHECK(memory.ranges.read(0x2000, &word, 4));
    CHECK(word == 0x11);  // the interpreter does not change the caller's memory
}

TEST_CASE("mali decode: branches, calls and jumps") {
    TestMemory memory;
    memory.put_stream(0x3000, {pack64(CsMove32{.immediate = 1, .destination = 40}),
                               pack64(CsJump{.length = 8, .address = 6})});
    memory.put_stream(0x4000, {pack64(CsNop{})});
    const uint64_t size = memory.put_stream(
        0x1000, {pack64(CsMove32{.immediate = 2, .destination = 0}),
                 pack64(CsAddImmediate32{.immediate = -1, .source = 0, .destination = 0}),
                 pack64(CsBranch{.offset = -2, .condition = CsCondition::Greater, .value = 0}),
                 pack64(CsMove{.immediate = 0x3000, .destination = 2}),
                 pack64(CsMove32{.immediate = 16, .destination = 4}),
                 pack64(CsMove{.immediate = 0x4000, .destination = 6}),
                 pack64(CsMove32{.immediate = 8, .destination = 8}),
                 pack64(CsCall{.length = 4, .address = 2}), pack64(CsErrorBarrier{})});
    const Decoded d = decoded(memory, 0x1000, size);
    CHECK(d.complete);
    CHECK(texts(d) ==
          "MOVE32 r0, #0x2\n"
          "ADD_IMMEDIATE32 r0, r0, #-1\n"
          "BRANCH.gt r0, #-2\n"
          "ADD_IMMEDIATE32 r0, r0, #-1\n"
          "BRANCH.gt r0, #-2\n"
          "MOVE d2, #0x3000\n"
          "MOVE32 r4, #0x10\n"
          "MOVE d6, #0x4000\n"
          "MOVE32 r8, #0x8\n"
          "CALL d2, r4\n"
          "  MOVE32 r40, #0x1\n"
          "  JUMP d6, r8\n"
          "  NOP\n"
          "ERROR_BARRIER\n");
}

TEST_CASE("mali decode: unknown addresses are reported") {
    TestMemory memory;
    const auto run = [&](const std::vector<uint64_t>& words) {
        return decoded(memory, 0x1000, memory.put_stream(0x1000, words));
    };
    CHECK(decoded(memory, 0x9000, 8).text == "! 000000009000: unmapped\n");
    CHECK(decoded(memory, 0x1000, 4).has("no multiple of 8"));
    CHECK(decoded(memory, 8, ~uint64_t(7)).has("wraps around"));
    CHECK(decoded(memory, 0x1000, 0).complete);
    Decoded d = run({pack64(CsLoadMultiple{.mask = 1, .address = 10, .base_register = 20})});
    CHECK(d.complete);
    CHECK(d.has("! 0x0: unmapped"));
    CHECK_FALSE(d.registers.is_set(20));
    CHECK(run({pack64(CsStoreMultiple{.mask = 1, .address = 10, .base_register = 20})})
              .has("! 0x0: not mapped"));
    CHECK(run({pack64(CsMove32{.immediate = 1, .destination = 96})}).has("! r96 is beyond the 96 registers"));
    CHECK(run({pack64(CsMove{.immediate = 1, .destination = 95})}).has("! d95 is no pair"));
    CHECK(run({pack64(CsBranch{.offset = 5, .condition = CsCondition::Always})})
              .has("! the branch leaves its buffer"));
    CHECK(
        run({pack64(CsMove32{.immediate = 12, .destination = 0}), pack64(CsJump{.length = 0, .address = 2})})
            .has("! the length is no multiple of 8"));
    CHECK(run({0x0a00000000000000}).has("UNKNOWN_10 0x0"));
    CHECK(run({0x0300000100000001}).has("WAIT.progress_inc #0 (! reserved bits 0x1 of word 0)"));
}

TEST_CASE("mali decode: streams that do not end") {
    TestMemory memory;
    const uint64_t loop = pack64(CsBranch{.offset = -1, .condition = CsCondition::Always});
    mali::decode::Options options;
    options.max_instructions = 50;
    Decoded d = decoded(memory, 0x1000, memory.put_stream(0x1000, {loop}), options);
    CHECK_FALSE(d.complete);
    CHECK(d.has("! the stream does not end\n"));
    // A stream that calls itself.
    const uint64_t size = memory.put_stream(0x2000, {pack64(CsMove{.immediate = 0x2000, .destination = 0}),
                                                     pack64(CsMove32{.immediate = 24, .destination = 2}),
                                                     pack64(CsCall{.length = 2, .address = 0})});
    d = decoded(memory, 0x2000, size);
    CHECK_FALSE(d.complete);
    CHECK(d.has("! the call stack is full\n"));
    // The number of lines is limited, too.
    options.max_instructions = 1000;
    options.max_lines = 10;
    d = decoded(memory, 0x1000, 8, options);
    CHECK_FALSE(d.complete);
    CHECK(std::count(d.text.begin(), d.text.end(), '\n') == 11);
    CHECK(d.has("! more lines than are printed\n"));
}

TEST_CASE("mali decode: exception handlers are listed, not followed") {
    TestMemory memory;
    memory.put_stream(
        0x3000, {pack64(CsMove32{.immediate = 7, .destination = 50}), pack64(CsHeapSet{.address = 46})});
    const uint64_t size = memory.put_stream(
        0x1000, {pack64(CsMove{.immediate = 0x3000, .destination = 40}),
                 pack64(CsMove32{.immediate = 16, .destination = 42}),
                 pack64(CsSetExceptionHandler{
                     .exception_type = CsExceptionType::TilerOom, .length = 42, .address = 40})});
    const Decoded d = decoded(memory, 0x1000, size);
    CHECK(d.complete);
    CHECK(d.has("SET_EXCEPTION_HANDLER.tiler_oom d40, r42\n    Handler @0x3000:\n"));
    CHECK(d.has("HEAP_SET d46\n"));
    CHECK_FALSE(d.registers.is_set(50));
}

TEST_CASE("mali decode: the text of instructions") {
    using mali::decode::instruction_text;
    CHECK(instruction_text(pack64(
              CsRunIdvs{.flags_override = 0x40, .malloc_enable = true, .fragment_srt_select = true})) ==
          "RUN_IDVS.varying_srt0.varying_fau0.varying_tsd0.frag_srt1.frag_tsd0 r0, #40");
    CHECK(instruction_text(
              pack64(CsRunCompute{.task_increment = 3, .task_axis = TaskAxis::Y, .fau_select = 2})) ==
          "RUN_COMPUTE.y_axis.srt0.spd0.tsd0.fau2 #3");
    CHECK(instruction_text(pack64(CsRunFragment{.tile_order = TileRenderOrder::Vertical})) ==
          "RUN_FRAGMENT.tile_order=vertical");
    CHECK(instruction_text(pack64(CsFlushCache2{.l2_flush_mode = CsFlushMode::Clean,
                                                .lsc_flush_mode = CsFlushMode::CleanAndInvalidate,
                                                .other_invalidate = true,
                                                .wait_mask = 0xff,
                                                .latest_flush_id = 5,
                                                .signal_slot = 1})) ==
          "FLUSH_CACHE2.clean_l2.clean_invalidate_lsc.invalidate_other r5, #ff, #1");
    CHECK(instruction_text(
              pack64(CsSyncAdd64{.error_propagate = true, .data = 12, .address = 10, .signal_slot = 2})) ==
          "SYNC_ADD64.error_propagate.system [d10], d12, #0, #2");
    CHECK(instruction_text(
              pack64(CsSyncWait64{.condition = CsCondition::Greater, .data = 12, .address = 10})) ==
          "SYNC_WAIT64.gt.inherit [d10], d12");
    CHECK(instruction_text(pack64(CsHeapOperation{.operation = CsHeapEvent::FragmentCompleted})) ==
          "HEAP_OPERATION.frag_end #0, #0");
    CHECK(instruction_text(pack64(CsFinishFragment{
              .increment_fragment_completed = true, .last_heap_chunk = 4, .first_heap_chunk = 6})) ==
          "FINISH_FRAGMENT.frag_end d4, d6, #0, #0");
    CHECK(instruction_text(pack64(CsReqResource{.compute = true, .idvs = true})) ==
          "REQ_RESOURCE.compute.idvs");
    CHECK(instruction_text(pack64(CsSetSbEntry{.endpoint_entry = 3, .other_entry = 1})) ==
          "SET_SB_ENTRY #3, #1");
    // Every opcode of the table has its own text.
    for (unsigned opcode = 0; opcode < 256; ++opcode) {
        const char* name = enum_name(CsOpcode(opcode));
        const std::string text = instruction_text(uint64_t(opcode) << 56);
        CAPTURE(opcode);
        if (name)
            CHECK(text.substr(0, std::strlen(name)) == name);
        else
            CHECK(text.substr(0, 8) == "UNKNOWN_");
    }
}
