// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: command streams, descriptors and shader code on the virtual Adreno. The input chooses a submit
// of our driver (adreno_submits.h), then which words of its memory are changed, and how. Every fault must
// have a report. Without changes there must be no fault.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "tests/fuzz/adreno_submits.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/target.h"

using namespace terrazzo;
using namespace terrazzo::adreno;

namespace {

constexpr unsigned kMaxChanges = 64;
constexpr uint64_t kMaxPackets = 20'000, kMaxTurns = 4000;
constexpr int kMaxQuestions = 25;

class FuzzHost final : public sim::Host {
  public:
    explicit FuzzHost(window::Space& space) : space_(space) {}
    window::Space& space() override { return space_; }
    uint64_t timestamp() const override { return 1; }
    // A fixed time instead of the clock: an input must always do the same.
    bool should_stop() const override { return ++questions_ > kMaxQuestions; }

  private:
    window::Space& space_;
    mutable int questions_ = 0;
};

uint32_t changed(uint32_t old, unsigned how, fuzz::Bytes& in) {
    switch (how % 5) {
        case 0:
            return in.u32();
        case 1:
            return old ^ 1u << in.u8() % 32;
        case 2: {
            const unsigned shift = in.u8() % 4 * 8;
            return (old & ~(0xffu << shift)) | uint32_t(in.u8()) << shift;
        }
        case 3:
            return 0;
        default:
            return old + uint32_t(int32_t(int8_t(in.u8())));
    }
}

[[noreturn]] void give_up(const char* what, const std::string& report) {
    std::fprintf(stderr, "adreno_gpu_fuzz: %s%s\n", what, report.c_str());
    std::abort();
}

void run(test::AdrenoSubmit& submit, bool is_damaged) {
    FuzzHost host(submit.memory);
    sim::Machine machine(*hw::find_chip("adreno-630"), host, 1);
    machine.turn_limit = kMaxTurns;
    const std::unique_ptr<sim::Work> work = sim::create_work(machine);
    if (!work) return;
    sim::CommandProcessor processor(machine, *work);
    processor.packet_limit = kMaxPackets;
    work->begin_submit();
    processor.start(submit.commands);
    const sim::RunStatus status = processor.run();
    const std::string& report = processor.fault().report;
    if (status == sim::RunStatus::Fault && report.empty()) give_up("a fault without a report", report);
    if (status != sim::RunStatus::Done && !is_damaged) give_up("an undamaged submit ends early: ", report);
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    static const auto submits = test::record_adreno_submits();
    fuzz::Bytes in(data, size);
    test::AdrenoSubmit& submit = *submits[in.u8() % submits.size()];
    submit.memory.restore();
    const bool is_damaged = !in.empty();
    for (unsigned i = 0; i < kMaxChanges && !in.empty(); ++i) {
        const uint8_t how = in.u8();
        // Three bytes can choose any word.
        const uint32_t place = uint32_t(in.u16()) << 8 | in.u8();
        uint32_t* const word = submit.memory.word(submit.places[place % submit.places.size()]);
        *word = changed(*word, how, in);
    }
    try {
        run(submit, is_damaged);
    } catch (const std::bad_alloc&) {  // the caller of submits reports it as out of memory
    }
    return 0;
}
