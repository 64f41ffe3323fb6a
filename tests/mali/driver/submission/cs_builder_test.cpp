// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Streams as the decoder prints them, and as the virtual GPU runs them.
#include "drivers/mali/stream/cs_builder.h"

#include <cstring>
#include <random>

#include "drivers/common/capture/memory.h"
#include "drivers/mali/decode/decode.h"
#include "drivers/mali/submission/queues.h"
#include "tests/mali/driver/device_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;
using hw::CsCondition;

namespace {

struct Setup {
    explicit Setup(const char* name = "noop:mali-g610") : device(open_device(name)), pool(device) {}
    /// The stream's text, without addresses and words; `registers`: their values at the end.
    std::string text(const Stream& stream) {
        std::vector<pipe::Ref<Bo>> chunks;
        pool.detach_chunks(&chunks);
        capture::Ranges memory;
        for (const auto& c : chunks)
            memory.put(c->va, {c->cpu, c->size_B});
        fields::StringSink sink;
        mali::decode::Options options;
        options.max_instructions = 1000000;
        complete = mali::decode::print_stream(memory, stream.va, stream.size_B, &registers, sink, options);
        kept.insert(kept.end(), chunks.begin(), chunks.end());
        std::string out;
        for (size_t at = 0; at < sink.text.size();) {
            const size_t end = sink.text.find('\n', at);
            const std::string line = sink.text.substr(at, end - at);
            const size_t begin = line.find_first_not_of(' ');
            out += line.size() > begin + 32 ? line.substr(begin + 32) + "\n" : line + "\n";
            at = end + 1;
        }
        return out;
    }
    uint64_t pair(unsigned r) const { return registers.get(r) | uint64_t{registers.get(r + 1)} << 32; }
    pipe::Ref<Device> device;
    Pool pool;
    std::vector<pipe::Ref<Bo>> kept;
    mali::decode::Registers registers;
    bool complete = false;
};

}  // namespace

TEST_CASE("cs builder: only what changed is emitted") {
    Setup s;
    CsBuilder b(s.pool);
    CHECK(b.emitted_B() == 0);
    b.set32(5, 7);
    CHECK(b.emitted_B() != 0);
    b.set32(5, 7);
    b.set64(10, 0x123456789abc);
    b.set64(10, 0x123456789abc);
    b.set32(11, 0x1234);  // its upper half
    b.set64(12, 0x0200123456789abc);
    b.set64(12, 0x0300123456789abc);  // only the upper half
    b.set64(12, 0x0300123456789ab0);  // the lower
    b.set_slots(2, 0);
    b.set_slots(2, 0);
    b.emit(hw::CsAddImmediate32{.immediate = 1, .source = 5, .destination = 5});
    b.set32(5, 7);  // unknown since then
    b.wait(1);
    CHECK(b.emitted_B() == 10 * 8);
    const Stream stream = b.finish();
    CHECK(stream.size_B == 10 * 8);
    CHECK(stream.va % 64 == 0);
    CHECK(b.emitted_B() == 0);
    CHECK(s.text(stream) ==
          "MOVE32 r5, #0x7\n"
          "MOVE d10, #0x123456789ABC\n"
          "MOVE32 r12, #0x56789ABC\n"
          "MOVE32 r13, #0x2001234\n"
          "MOVE32 r13, #0x3001234\n"
          "MOVE32 r12, #0x56789AB0\n"
          "SET_SB_ENTRY #2, #0\n"
          "ADD_IMMEDIATE32 r5, r5, #1\n"
          "MOVE32 r5, #0x7\n"
          "WAIT #1\n");
    CHECK(s.complete);
    const Stream none = b.finish();
    CHECK(none.size_B == 0);
    b.set32(5, 7);  // a new stream has no known values
    CHECK(b.emitted_B() == 8);
}

TEST_CASE("cs builder: chunks are linked by jumps") {
    Setup s;
    CsBuilder b(s.pool);
    std::mt19937 random(3);
    uint32_t expected[64] = {};
    for (int i = 0; i < 30000; i++) {
        const unsigned r = random() % 64;
        b.set32(r, expected[r] = random());
    }
    const uint64_t emitted_B = b.emitted_B();
    CHECK(emitted_B >= 30000 * 8);
    CHECK(emitted_B < 30000 * 8 + 24 * 100);
    const Stream stream = b.finish();
    CHECK(stream.size_B == 2048);
    const std::string text = s.text(stream);
    CHECK(s.complete);
    size_t jumps = 0;
    for (size_t at = text.find("JUMP"); at != std::string::npos; at = text.find("JUMP", at + 1))
        jumps++;
    CHECK(jumps * 24 + 30000 * 8 == emitted_B);
    for (unsigned r = 0; r < 64; r++)
        CHECK(s.registers.get(r) == expected[r]);
}

TEST_CASE("cs builder: registers that a block changed are unknown, the rest is not") {
    Setup s;
    CsBuilder b(s.pool);
    b.set32(1, 10);
    b.set32(2, 20);
    b.set32(3, 1);
    b.set_slots(2, 0);
    b.if_(CsCondition::Greater, 3, [](CsBuilder& c) {
        c.set32(1, 11);
        c.set32(2, 21);
        c.set32(2, 20);
        c.set_slots(3, 0);
    });
    b.set32(1, 11);     // unknown
    b.set32(2, 20);     // the same on both paths
    b.set_slots(2, 0);  // unknown
    CHECK(s.text(b.finish()) ==
          "MOVE32 r1, #0xA\n"
          "MOVE32 r2, #0x14\n"
          "MOVE32 r3, #0x1\n"
          "SET_SB_ENTRY #2, #0\n"
          "BRANCH.le r3, #4\n"
          "MOVE32 r1, #0xB\n"
          "MOVE32 r2, #0x15\n"
          "MOVE32 r2, #0x14\n"
          "SET_SB_ENTRY #3, #0\n"
          "MOVE32 r1, #0xB\n"
          "SET_SB_ENTRY #2, #0\n");
}

TEST_CASE("cs builder: blocks that do not fit their chunk") {
    Setup s;
    CsBuilder b(s.pool);
    b.set32(70, 5);
    b.set32(71, 0);
    b.set32(72, 0);
    for (int i = 0; i < 200; i++)
        b.set32(i % 50, uint32_t(1000 + i));
    for (int i = 0; i < 5; i++)
        b.if_(CsCondition::Greater, 70, [](CsBuilder& c) {
            c.if_(CsCondition::Equal, 71, [](CsBuilder& d) {
                d.emit(hw::CsAddImmediate32{.immediate = 100, .source = 72, .destination = 72});
            });
            c.if_(CsCondition::Nequal, 71, [](CsBuilder& d) {
                for (int i = 0; i < 400; i++)
                    d.emit(hw::CsAddImmediate32{.immediate = 1, .source = 72, .destination = 72});
            });
            c.emit(hw::CsAddImmediate32{.immediate = 1, .source = 71, .destination = 71});
            c.emit(hw::CsAddImmediate32{.immediate = -2, .source = 70, .destination = 70});
        });
    b.set32(73, 9);
    (void)s.text(b.finish());
    CHECK(s.complete);
    CHECK(s.registers.get(72) == 100 + 2 * 400);  // 70 was 5, 3, 1
    CHECK(s.registers.get(73) == 9);
    CHECK(s.registers.get(49) == 1199);
}

TEST_CASE("cs builder: random structured programs run correctly") {
    std::mt19937 random(4);
    for (int round = 0; round < 40; round++) {
        Setup s;
        CsBuilder b(s.pool);
        uint32_t model[8] = {};
        for (unsigned r = 0; r < 8; r++)
            b.set32(r, 0);
        // While `live`, the model runs the same instructions.
        struct Program {
            std::mt19937& random;
            uint32_t* model;
            void block(CsBuilder& c, int depth, bool live) {
                const int length = int(random() % (depth == 0 ? 60 : 20));
                for (int i = 0; i < length; i++) {
                    const unsigned r = random() % 8, v = random() % 4;
                    if (random() % 3) {
                        c.set32(r, v);
                        if (live) model[r] = v;
                    } else if (random() % 2) {
                        c.emit(hw::CsAddImmediate32{.immediate = -1, .source = r, .destination = r});
                        if (live) model[r]--;
                    } else if (depth < 4) {
                        const bool taken = live && int32_t(model[r]) > 0;
                        c.if_(CsCondition::Greater, r, [&](CsBuilder& d) { block(d, depth + 1, taken); });
                    }
                }
            }
        } program{random, model};
        for (int i = 0; i < 5; i++)
            program.block(b, 0, true);
        (void)s.text(b.finish());
        CHECK(s.complete);
        for (unsigned r = 0; r < 8; r++)
            CHECK(s.registers.get(r) == model[r]);
    }
}

TEST_CASE("cs builder: two queues pass work to each other on the virtual GPU") {
    Setup s("sim:mali-g610");
    auto q = Queues::create(s.device, 1);
    REQUIRE(q);
    const auto data = s.device->create_bo(4096, 0);
    CsBuilder vertex(s.pool), fragment(s.pool);
    for (CsBuilder* b : {&vertex, &fragment})
        b->set_slots(kSlotIterators, kSlotLoadStore);
    constexpr int kRounds = 300;
    for (int i = 0; i < kRounds; i++) {
        // The vertex queue writes a number, signals, and waits until the number was read.
        vertex.set64(64, data->va);
        vertex.set32(66, uint32_t(i) + 1);
        vertex.store(66, 1, 64, 0);
        vertex.wait(1u << kSlotLoadStore);
        vertex.set64(68, q->sequence_va(QueueKind::VertexTiler));
        vertex.set64(70, 1);
        vertex.emit(hw::CsSyncAdd64{.data = 70, .address = 68});
        vertex.set64(68, q->sequence_va(QueueKind::Fragment));
        vertex.set64(72, uint64_t(i));
        vertex.emit(hw::CsSyncWait64{.condition = CsCondition::Greater, .data = 72, .address = 68});

        fragment.set64(68, q->sequence_va(QueueKind::VertexTiler));
        fragment.set64(72, uint64_t(i));
        fragment.emit(hw::CsSyncWait64{.condition = CsCondition::Greater, .data = 72, .address = 68});
        fragment.set64(64, data->va);
        fragment.load(66, 1, 64, 0);
        fragment.wait(1u << kSlotLoadStore);
        fragment.store(66, 1, 64, 64 + 4 * i);
        fragment.wait(1u << kSlotLoadStore);
        fragment.set64(68, q->sequence_va(QueueKind::Fragment));
        fragment.set64(70, 1);
        fragment.emit(hw::CsSyncAdd64{.data = 70, .address = 68});
    }
    const uint64_t point = q->submit({vertex.finish(), fragment.finish(), Stream{}}, {});
    REQUIRE(point);
    CHECK(q->timeline()->wait(point, UINT64_MAX) == WaitResult::Done);
    bool good = true;
    for (int i = 0; i < kRounds; i++) {
        uint32_t v;
        memcpy(&v, data->cpu + 64 + 4 * i, 4);
        good &= v == uint32_t(i) + 1;
    }
    CHECK(good);
}

TEST_CASE("cs builder: without memory no operation is done in part") {
    Setup s;
    CsBuilder b(s.pool);
    b.set32(1, 2);
    b.if_(CsCondition::Greater, 1, [](CsBuilder& c) { c.set32(3, 4); });
    b.discard();
    CHECK(b.emitted_B() == 0);
    CHECK(b.finish().size_B == 0);
    CHECK(b.emitted_B() == 0);
    b.set32(1, 2);
    CHECK(s.text(b.finish()) == "MOVE32 r1, #0x2\n");
}

TEST_CASE("cs checks: errors of streams") {
    using std::string;
    const auto move = [](unsigned r) { return hw::pack64(hw::CsMove{.immediate = 1, .destination = r}); };
    const auto text = [](const char* why) { return string(why ? why : ""); };
    const uint64_t load = hw::pack64(hw::CsLoadMultiple{.mask = 3, .address = 64, .base_register = 40}),
                   store = hw::pack64(hw::CsStoreMultiple{.mask = 1, .address = 64, .base_register = 40}),
                   wait0 = hw::pack64(hw::CsWait{.wait_mask = 1}),
                   wait1 = hw::pack64(hw::CsWait{.wait_mask = 2});
    {
        CsChecks c;
        CHECK(text(c.note(move(92))) == "the register is not the streams'");
        CHECK(text(c.note(move(86))) == "the register is not the streams'");
        CHECK(!c.note(move(88)));
        CHECK(!c.note(move(84)));
    }
    {
        CsChecks c;
        CHECK(text(c.note(load)) == "it reads a register that the stream has not set");
        CHECK(!c.note(move(64)));
        CHECK(!c.note(load));
        CHECK(!c.note(wait1));
        CHECK(text(c.note(store)) == "it uses a register whose load was not waited for");
        CHECK(text(c.note(move(40))) == "it uses a register whose load was not waited for");
        CHECK(!c.note(wait0));
        CHECK(!c.note(store));
        CHECK(text(c.note(move(40))) == "it changes a register whose store was not waited for");
        CHECK(text(c.note(move(64))) == "it changes a register whose store was not waited for");
        CHECK(!c.note(wait0));
        CHECK(!c.note(move(64)));
    }
    {
        CsChecks c;
        const uint64_t run = hw::pack64(hw::CsRunFragment{});
        CHECK(!c.note(move(40)));
        CHECK(text(c.note(run)) == "it reads a register that the stream has not set");
        CHECK(!c.note(move(42)));
        CHECK(!c.note(run));
        CHECK(!c.note(move(64)));
        CHECK(!c.note(load));
        CHECK(text(c.note(run)) == "it uses a register whose load was not waited for");
    }
    {
        CsChecks all;
        all.assume_set(0, 64);
        CHECK(!all.note(hw::pack64(hw::CsRunIdvs{})));
        for (const unsigned missing :
             {0u, 9u, 17u, 20u, 25u, 33u, 36u, 41u, 43u, 45u, 50u, 53u, 56u, 57u, 58u}) {
            CsChecks c;
            c.assume_set(0, missing);
            c.assume_set(missing + 1, 63 - missing);
            CHECK(text(c.note(hw::pack64(hw::CsRunIdvs{}))) ==
                  "it reads a register that the stream has not set");
        }
        CsChecks one, other;
        one.assume_set(0, 10);
        other.assume_set(5, 10);
        one.join(other);
        const auto reads = [&](unsigned r) {
            return one.note(hw::pack64(hw::CsAddImmediate32{.source = r, .destination = 70}));
        };
        CHECK(reads(4));
        CHECK(!reads(5));
        CHECK(reads(10));
    }
}
