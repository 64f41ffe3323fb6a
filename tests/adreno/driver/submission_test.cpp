// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Streams as the decoder prints them, and their submission to the kernel.
#include "tests/adreno/driver/decoded.h"
#include "tests/adreno/driver/device_fixture.h"

#include "drivers/adreno/stream/draw_state.h"
#include "drivers/adreno/submission/recorder.h"

using namespace terrazzo;
using namespace terrazzo::adreno;
using namespace terrazzo::test;

namespace {

std::unique_ptr<Recorder> open_recorder(const pipe::Ref<Device>& device) {
    auto queue = Queue::create(device, 1);
    REQUIRE(queue);
    return std::make_unique<Recorder>(device, std::move(queue));
}

}  // namespace

TEST_CASE("registers: consecutive registers share a header, others do not") {
    uint32_t words[32] = {};
    const uint32_t* end = put_registers(words, hw::RB_STENCILREF{}, hw::RB_STENCILMASK{},
                                        hw::RB_STENCILWRMASK{}, hw::RB_WINDOW_OFFSET{});
    REQUIRE(hw::RB_STENCILMASK::kRegister == hw::RB_STENCILREF::kRegister + 1);
    REQUIRE(hw::RB_WINDOW_OFFSET::kRegister != hw::RB_STENCILWRMASK::kRegister + 1);
    CHECK(end == words + 6);
    CHECK(words[0] == hw::pack_type4(hw::RB_STENCILREF::kRegister, 3));
    CHECK(words[4] == hw::pack_type4(hw::RB_WINDOW_OFFSET::kRegister, 1));
}

TEST_CASE("registers: elements of arrays, and values of 64 bits") {
    uint32_t words[32] = {};
    const uint32_t* end =
        put_registers(words, Element{2, hw::RB_MRT_PITCH{512}}, Element{2, hw::RB_MRT_ARRAY_PITCH{4096}},
                      Element{2, hw::RB_MRT_BASE{0x123456780}}, Element{2, hw::RB_MRT_BASE_GMEM{}});
    const Decoded d = decode_words({words, size_t(end - words)});
    CHECK(d.statistics.problems == 0);
    CHECK(words[0] == hw::pack_type4(hw::RB_MRT_PITCH::at(2), 5));
    CHECK(d.registers.get(hw::RB_MRT_BASE::at(2)) == 0x23456780);
    CHECK(d.registers.get(hw::RB_MRT_BASE::at(2) + 1) == 1);
}

TEST_CASE("registers: a packet has at most 127 registers") {
    std::vector<uint32_t> words(300);
    RegisterRun run(words.data());
    for (uint16_t i = 0; i < 200; ++i)
        run.add(NumberedRegister{uint16_t(0x1000 + i), i});
    CHECK(run.finish() == words.data() + 202);
    CHECK(words[0] == hw::pack_type4(0x1000, 127));
    CHECK(words[128] == hw::pack_type4(0x1000 + 127, 73));
}

TEST_CASE("streams: a long one has several segments, and is called with all of them") {
    const auto device = open_adreno();
    Pool pool(device);
    CsBuilder inner(pool, 64), outer(pool, 64);
    for (unsigned i = 0; i < 50; ++i)
        inner.write(Element{i % 8, hw::RB_MRT_PITCH{64}}, hw::RB_STENCILREF{.ref = i});
    CHECK(inner.size_dw() == 200);
    const auto parts = inner.finish();
    CHECK(parts.size() == 4);
    for (const Segment& s : parts)
        CHECK(s.size_dw <= 64);
    outer.call(parts);
    outer.wait_for_idle();
    const Decoded d = decode_stream(*device, outer.finish());
    INFO(d.text);
    CHECK(d.statistics.problems == 0);
    CHECK(d.statistics.register_writes == 100);
    CHECK(d.registers.get(hw::RB_STENCILREF::kRegister) == 49);
}

TEST_CASE("groups: set and disabled, in their modes") {
    const auto device = open_adreno();
    Pool pool(device);
    StateWords<16> words;
    words.write(hw::RB_STENCILREF{.ref = 7});
    const StaticState state(*device, words.words());
    REQUIRE(state.valid());
    CsBuilder cs(pool);
    GroupList groups;
    groups.set(Group::DepthStencil, state.segment());
    groups.set(Group::ProgramBinning, state.segment());
    groups.set(Group::Blend, {});
    groups.emit(cs);
    groups.emit(cs);  // now empty
    cs.packet(hw::CpSetMarker{.mode = hw::Marker::RM6_DIRECT_RENDER});
    cs.packet(hw::CpDrawIndxOffset{.num_instances = 1, .num_indices = 3}, 3);
    const auto stream = cs.finish();
    const Decoded d = decode_stream(*device, stream);
    INFO(d.text);
    CHECK(d.statistics.problems == 0);
    CHECK(d.statistics.draws == 1);
    CHECK(d.registers.get(hw::RB_STENCILREF::kRegister) == 7);
    CHECK(d.statistics.register_writes == 1);  // the binning group is not for this mode
    CHECK(stream[0].size_dw == 1 + 9 + 2 + 4);
    // A group that is not set is not disabled again, unless the state was forgotten.
    const auto size_of = [&](std::initializer_list<Segment> segments) {
        const uint64_t before = cs.size_dw();
        for (const Segment& s : segments) {
            groups.set(Group::Blend, s);
            groups.emit(cs);
        }
        return cs.size_dw() - before;
    };
    cs.discard();
    CHECK(size_of({{}, {}}) == 0);
    CHECK(size_of({state.segment(), {}, {}}) == 2 * 4);
    groups.set(Group::Blend, state.segment());
    CHECK(groups.has_unwritten());
    groups.forget();
    CHECK(!groups.has_unwritten());
    CHECK(size_of({{}, {}}) == 4);
}

TEST_CASE("recorder: submissions reach their points, and their memory is reused") {
    const auto device = open_adreno();
    const auto recorder = open_recorder(device);
    CHECK(recorder->submit());
    CHECK(recorder->last_point() == 0);  // nothing to submit
    for (unsigned i = 1; i <= 3; ++i) {
        const uint64_t serial = recorder->serial();
        recorder->main.wait_for_idle();
        CHECK(recorder->submit());
        CHECK(recorder->last_point() == i);
        CHECK(recorder->serial() != serial);
        CHECK(recorder->main.empty());
        CHECK(recorder->finish() == WaitResult::Done);
    }
}

TEST_CASE("queue: low, medium and high are three priorities of the kernel") {
    const auto device = open_adreno();
    REQUIRE(device->priorities() == 3);
    for (const int wanted : {0, 1, 2}) {
        const auto queue = Queue::create(device, wanted);
        REQUIRE(queue);
        CHECK(queue->priority() == wanted);
    }
}

TEST_CASE("recorder: memory is busy until its submission has ended; readers wait for its writer") {
    const auto device = open_adreno();
    const auto first = open_recorder(device), second = open_recorder(device);
    const auto bo = device->create_bo(4096, 0);
    REQUIRE(bo);
    first->use(bo, true);
    CHECK(first->uses(*bo, false));
    CHECK(bo->uses.recorded_writes == 1);
    first->main.wait_for_idle();
    CHECK(first->submit());
    CHECK(bo->uses.recorded_writes == 0);
    CHECK(!first->uses(*bo, true));
    second->use(bo, false);
    second->main.wait_for_idle();
    CHECK(second->submit());
    CHECK(second->finish() == WaitResult::Done);
    CHECK(first->queue().timeline()->done(1));
    CHECK(bo->uses.wait(true, ~uint64_t(0)) == WaitResult::Done);
}

TEST_CASE("recorder: discarding releases everything") {
    const auto device = open_adreno();
    const auto recorder = open_recorder(device);
    const auto bo = device->create_bo(4096, 0);
    REQUIRE(bo);
    recorder->use(bo, true);
    recorder->main.wait_for_idle();
    recorder->discard();
    CHECK(recorder->main.empty());
    CHECK(bo->uses.recorded_writes == 0);
    CHECK(recorder->submit());
    CHECK(recorder->last_point() == 0);
}
