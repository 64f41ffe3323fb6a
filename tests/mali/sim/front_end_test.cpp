// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Command streams: the effects of instructions, and the rules that the front end enforces. Jobs are only
// counted.
#include "drivers/mali/sim/csf/front_end.h"

#include <random>

#include "tests/mali/sim/core_fixture.h"

using namespace terrazzo::mali;
using namespace terrazzo::mali::sim;
using sim::testing::ArraySpace;

namespace {

struct CountingJobs : Jobs {
    int draws = 0, fragments = 0, tilings = 0, freed = 0, out_of_heap = 0;
    JobStatus idvs(const hw::CsRunIdvs&, const CsRegisters&, HeapUse&, DrawProgress* p, Fault*) override {
        if (out_of_heap > 0) {
            --out_of_heap;
            p->primitive = 7;
            return JobStatus::OutOfHeap;
        }
        last = *p;
        ++draws;
        return JobStatus::Done;
    }
    JobStatus fullscreen(const hw::CsRunFullscreen&, const CsRegisters&, HeapUse&, Fault*) override {
        return JobStatus::Done;
    }
    JobStatus fragment(const hw::CsRunFragment&, const CsRegisters&, Fault*) override {
        return ++fragments, JobStatus::Done;
    }
    JobStatus compute(const hw::CsRunCompute&, const CsRegisters&, Fault* f) override {
        f->code = hw::ExceptionCode::INSTR_INVALID_PC;
        f->report = "no shader";
        return JobStatus::Fault;
    }
    JobStatus compute_indirect(const hw::CsRunComputeIndirect&, const CsRegisters&, Fault*) override {
        return JobStatus::Stopped;
    }
    JobStatus finish_tiling(const CsRegisters&, HeapUse&, Fault*) override {
        return ++tilings, JobStatus::Done;
    }
    JobStatus finish_fragment(uint64_t, uint64_t, HeapUse&, Fault*) override {
        return ++freed, JobStatus::Done;
    }
    DrawProgress last;
};

struct FrontEndFixture : Host {
    ArraySpace array;
    bool stop = false;
    CountingJobs jobs;
    Machine machine{*hw::find_chip("mali-g610"), *this, 1};
    Progress shared;
    FrontEnd front{machine, jobs, shared, 0};
    std::vector<uint64_t> words;

    Space& space() override { return array; }
    uint64_t grow_heap(uint64_t, uint32_t, uint32_t) override { return 0; }
    uint64_t timestamp() const override { return 0x1234567890ull; }
    bool should_stop() const override { return stop; }
    unsigned progress = 0;
    void note_progress() override { ++progress; }

    template <class T>
    FrontEndFixture& op(const T& i) {
        words.push_back(hw::pack64(i));
        return *this;
    }
    void place(uint64_t va = ArraySpace::kCode) {
        std::memcpy(array.code_.data() + (va - ArraySpace::kCode), words.data(), words.size() * 8);
    }
    RunStatus run() {
        place();
        front.start(ArraySpace::kCode, uint32_t(words.size() * 8));
        words.clear();
        return front.run();
    }
    bool says(const char* text) const { return front.fault().report.find(text) != std::string::npos; }
    FrontEndFixture& request() {
        hw::CsReqResource r;
        r.tiler = r.idvs = r.fragment = true;
        return op(r);
    }
    FrontEndFixture& slot(unsigned endpoint, unsigned other) {
        hw::CsSetSbEntry s;
        s.endpoint_entry = endpoint;
        s.other_entry = other;
        return op(s);
    }
    FrontEndFixture& wait(uint32_t slots) { return op(hw::CsWait{.wait_mask = slots}); }
    FrontEndFixture& move(unsigned reg, uint64_t v) {
        return op(hw::CsMove{.immediate = v, .destination = reg});
    }
    FrontEndFixture& move32(unsigned reg, uint32_t v) {
        return op(hw::CsMove32{.immediate = v, .destination = reg});
    }
};

}  // namespace

TEST_CASE_FIXTURE(FrontEndFixture, "front end: moves, additions, a loop") {
    move(2, 0x123456789abcull).move32(4, 5).move32(6, 0);
    op(hw::CsAddImmediate32{.immediate = 3, .source = 6, .destination = 6});
    op(hw::CsAddImmediate32{.immediate = -1, .source = 4, .destination = 4});
    op(hw::CsBranch{.offset = -3, .condition = hw::CsCondition::Greater, .value = 4});
    op(hw::CsAddImmediate64{.immediate = -1, .source = 2, .destination = 2});
    op(hw::CsUmin32{.source_1 = 6, .source_2 = 2, .destination = 8});
    CHECK(run() == RunStatus::Done);
    CHECK(front.registers().r[6] == 15);
    CHECK(front.registers().pair(2) == 0x123456789abbull);
    CHECK(front.registers().r[8] == 15);
    // Registers keep their values between streams.
    CHECK(run() == RunStatus::Done);
    CHECK(front.registers().r[6] == 15);
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: calls return, jumps do not") {
    const uint64_t sub = ArraySpace::kCode + 0x400;
    move32(10, 77);
    place(sub);
    words.clear();
    move(20, sub).move32(22, 8);
    op(hw::CsCall{.length = 22, .address = 20}).move32(11, 78);
    op(hw::CsJump{.length = 22, .address = 20}).move32(12, 79);
    CHECK(run() == RunStatus::Done);
    CHECK(front.registers().r[10] == 77);
    CHECK(front.registers().r[11] == 78);
    CHECK(front.registers().r[12] == 0);
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: loads and stores must be waited for") {
    move(20, ArraySpace::kData).move32(1, 42).slot(2, 3);
    op(hw::CsStoreMultiple{.offset = 8, .mask = 1, .address = 20, .base_register = 1});
    wait(1 << 3);
    op(hw::CsLoadMultiple{.offset = 8, .mask = 1, .address = 20, .base_register = 5});
    wait(1 << 3);
    op(hw::CsAddImmediate32{.immediate = 1, .source = 5, .destination = 6});
    CHECK(run() == RunStatus::Done);
    CHECK(front.registers().r[6] == 43);

    move(20, ArraySpace::kData).slot(2, 3);
    op(hw::CsLoadMultiple{.mask = 1, .address = 20, .base_register = 5}).wait(1 << 2);
    op(hw::CsAddImmediate32{.source = 5, .destination = 6});
    CHECK(run() == RunStatus::Fault);
    CHECK(says("r5 is used before the load into it was waited for (slot 3)"));

    move(20, ArraySpace::kData).slot(2, 3);
    op(hw::CsStoreMultiple{.mask = 1, .address = 20, .base_register = 5}).move32(5, 1);
    CHECK(run() == RunStatus::Fault);
    CHECK(says("r5 is overwritten before"));
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: loads of what a compute job wrote are ordered after it") {
    const unsigned other = 2;
    (void)shared.order.begin_job(other);
    shared.order.stored(other, ArraySpace::kData + 4, 4);
    for (const uint32_t mask : {1u, 2u}) {
        move(20, ArraySpace::kData).slot(2, 3);
        op(hw::CsLoadMultiple{.mask = mask, .address = 20, .base_register = 4}).wait(1 << 3);
        CHECK(run() == (mask == 1 ? RunStatus::Done : RunStatus::Fault));
    }
    CHECK(says("LOAD_MULTIPLE"));
    CHECK(says("a job that may still store to it was not waited for"));
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: a frame, and each wait that it needs") {
    const auto frame = [&](bool wait_tiler, bool wait_fragment, bool wait_sync) {
        hw::CsHeapOperation started;
        started.operation = hw::CsHeapEvent::VertexTilerStarted;
        move(20, ArraySpace::kData).op(hw::CsHeapSet{.address = 20}).op(started);
        request().slot(2, 0).op(hw::CsRunIdvs{}).op(hw::CsFinishTiling{});
        if (wait_tiler) wait(1 << 2);
        hw::CsHeapOperation done;
        done.operation = hw::CsHeapEvent::VertexTilerCompleted;
        done.signal_slot = 0;
        op(done).slot(3, 0).op(hw::CsRunFragment{});
        hw::CsFinishFragment finish;
        finish.first_heap_chunk = 10;
        finish.last_heap_chunk = 12;
        finish.increment_fragment_completed = true;
        finish.wait_mask = wait_fragment ? 1 << 3 : 0;
        finish.signal_slot = 4;
        op(finish).move(20, ArraySpace::kData).move(22, 1);
        hw::CsSyncAdd64 add;
        add.address = 20;
        add.data = 22;
        add.wait_mask = wait_sync ? 1 << 4 | 1 : 1;
        op(add);
        return run();
    };
    CHECK(frame(true, true, true) == RunStatus::Done);
    CHECK(jobs.draws == 1);
    CHECK(jobs.fragments == 1);
    CHECK(jobs.freed == 1);
    CHECK(array.data_[0] == 1);
    CHECK(progress == 4);  // a draw, the end of tiling, a fragment job and its end
    CHECK(frame(false, true, true) == RunStatus::Fault);
    CHECK(says("slot 2 was not waited for"));
    CHECK(frame(true, false, true) == RunStatus::Fault);
    CHECK(says("FINISH_FRAGMENT"));
    CHECK(frame(true, true, false) == RunStatus::Fault);
    CHECK(says("signalled while work"));
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: jobs need their resources") {
    slot(2, 0).op(hw::CsReqResource{}).op(hw::CsRunIdvs{});
    CHECK(run() == RunStatus::Fault);
    CHECK(says("did not request the tiler"));
    CHECK(front.fault().code == hw::ExceptionCode::CS_ENDPOINT_FAULT);
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: jobs and loads need selected slots") {
    request().op(hw::CsRunIdvs{});
    CHECK(run() == RunStatus::Fault);
    CHECK(says("no SET_SB_ENTRY has said"));
    move(20, ArraySpace::kData).op(hw::CsLoadMultiple{.mask = 1, .address = 20, .base_register = 5});
    CHECK(run() == RunStatus::Fault);
    CHECK(says("no SET_SB_ENTRY has said"));
    slot(2, 0);
    CHECK(run() == RunStatus::Done);
    request().op(hw::CsRunIdvs{});  // later streams of the queue keep the resources
    CHECK(run() == RunStatus::Done);
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: the data that the host reads is in memory") {
    using Flush = hw::CsFlushCache2;
    const auto clean = hw::CsFlushMode::Clean;
    const auto runs = [&](const Flush* flush, bool wait_first, bool announced) {
        request().slot(2, 0).move32(30, 0).op(hw::CsRunFragment{});
        if (wait_first) wait(1 << 2);
        if (flush) op(*flush);
        place();
        front.start(ArraySpace::kCode, uint32_t(words.size() * 8), announced);
        words.clear();
        return front.run();
    };
    const Flush good{
        .l2_flush_mode = clean, .lsc_flush_mode = clean, .latest_flush_id = 30, .signal_slot = 1};
    CHECK(runs(nullptr, true, false) == RunStatus::Done);
    CHECK(runs(&good, true, true) == RunStatus::Done);
    CHECK(runs(nullptr, true, true) == RunStatus::Fault);
    CHECK(says("may still be in caches"));
    CHECK(runs(&good, false, true) == RunStatus::Fault);  // too early
    Flush later = good;
    later.wait_mask = 1 << 2;
    CHECK(runs(&later, false, true) == RunStatus::Done);
    Flush other = good;
    other.l2_flush_mode = hw::CsFlushMode::None;
    CHECK(runs(&other, true, true) == RunStatus::Fault);
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: waits for a value, and continues") {
    move(20, ArraySpace::kData).move(22, 4);
    op(hw::CsSyncWait64{.condition = hw::CsCondition::Greater, .data = 22, .address = 20}).move32(1, 9);
    CHECK(run() == RunStatus::Blocked);
    CHECK(front.progressed());
    CHECK(front.run() == RunStatus::Blocked);
    CHECK_FALSE(front.progressed());
    array.data_[0] = 5;
    CHECK(front.run() == RunStatus::Done);
    CHECK(front.registers().r[1] == 9);
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: sync objects of waits and signals must be aligned") {
    SUBCASE("64 bits") {
        move(20, ArraySpace::kData + 4).move(22, 4);
        op(hw::CsSyncWait64{.condition = hw::CsCondition::Lequal, .data = 22, .address = 20});
    }
    SUBCASE("32 bits") {
        move(20, ArraySpace::kData + 2).move32(22, 4);
        op(hw::CsSyncWait32{.condition = hw::CsCondition::Lequal, .data = 22, .address = 20});
    }
    CHECK(run() == RunStatus::Fault);
    CHECK(says("address of a sync object is not a multiple of its size"));
}

TEST_CASE_FIXTURE(FrontEndFixture,
                  "front end: an exhausted heap calls the handler, then the draw continues") {
    const uint64_t handler = ArraySpace::kCode + 0x400;
    move32(30, 5);
    place(handler);
    words.clear();
    jobs.out_of_heap = 1;
    move(20, handler).move32(22, 8);
    op(hw::CsSetExceptionHandler{
        .exception_type = hw::CsExceptionType::TilerOom, .length = 22, .address = 20});
    request().slot(2, 0).op(hw::CsRunIdvs{});
    CHECK(run() == RunStatus::Done);
    CHECK(front.registers().r[30] == 5);
    CHECK(jobs.draws == 1);
    CHECK(jobs.last.primitive == 7);
    jobs.out_of_heap = 1;
    FrontEnd fresh(machine, jobs, shared, 1);
    request().slot(2, 0).op(hw::CsRunIdvs{});
    place();
    fresh.start(ArraySpace::kCode, 24);
    CHECK(fresh.run() == RunStatus::Fault);
    CHECK(fresh.fault().code == hw::ExceptionCode::OOM);
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: faults of memory, of unknown words") {
    slot(2, 0).move(20, 0x5550000);
    op(hw::CsLoadMultiple{.mask = 1, .address = 20, .base_register = 5});
    CHECK(run() == RunStatus::Fault);
    CHECK(front.fault().code == hw::ExceptionCode::TRANSLATION_FAULT_3);
    move(20, ArraySpace::kReadOnly);
    op(hw::CsStoreMultiple{.mask = 1, .address = 20, .base_register = 5});
    CHECK(run() == RunStatus::Fault);
    CHECK(front.fault().code == hw::ExceptionCode::PERM_FAULT_3);
    words.push_back(0xee00000000000000ull);
    CHECK(run() == RunStatus::Fault);
    CHECK(front.fault().code == hw::ExceptionCode::CS_INSTR_INVALID);
    CHECK(says("queue 0, instruction at 0x10000"));
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: an endless stream stops on the host's request") {
    op(hw::CsBranch{.offset = -1, .condition = hw::CsCondition::Always, .value = 0});
    stop = true;
    CHECK(run() == RunStatus::Stopped);
}

TEST_CASE_FIXTURE(FrontEndFixture, "front end: random words run or fault, and never crash") {
    std::mt19937_64 random(3);
    int faults = 0;
    for (int i = 0; i < 20000; ++i) {
        for (int n = 0; n < 12; ++n) {
            // Most words have a known opcode.
            const uint64_t opcode = random() % 8 ? random() % 54 : random() % 256;
            words.push_back(opcode << 56 |
                            (random() & 0xffffffffffffffull & (random() % 3 ? ~0ull : random())));
        }
        FrontEnd fresh(machine, jobs, shared, 0);
        place();
        words.clear();
        fresh.start(ArraySpace::kCode, 96);
        stop = true;
        faults += fresh.run() == RunStatus::Fault;
    }
    CHECK(faults > 15000);
}
