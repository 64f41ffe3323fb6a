// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Recordings that the test writes, runs, and damages.
#include "drivers/common/host/replay.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "drivers/adreno/decode/rd.h"
#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/chips.h"
#include "drivers/adreno/sim/rd_files.h"
#include "tests/common/capture/gzip.h"

using namespace terrazzo;
using namespace terrazzo::adreno;
using hw::Pm4Opcode;

namespace {

constexpr uint64_t kCode = 0x1'0000'0000, kData = 0x1'0001'0000;

std::vector<uint8_t> bytes_of(const std::vector<uint32_t>& words) {
    const uint8_t* const p = reinterpret_cast<const uint8_t*>(words.data());
    return {p, p + words.size() * 4};
}

struct Played {
    bool ok = false;
    host::ReplayCounts counts;
    std::string text, error;
};
Played play(std::span<const uint8_t> file, const char* device = "") {
    Played p;
    fields::StringSink sink;
    host::ReplayOptions options;
    options.device = device;
    options.draws_nothing = true;
    p.ok = host::replay(file, sim::host_vendor(), options, sink, &p.counts, &p.error);
    p.text = sink.text;
    return p;
}

std::vector<uint32_t> draw() {
    return {hw::pack_type7(Pm4Opcode::CP_DRAW_INDX_OFFSET, 3), 2 << 6, 1, 3};
}

/// A fault unless the first word of the data is 7.
std::vector<uint32_t> expect_seven() {
    return {hw::pack_type7(Pm4Opcode::CP_WAIT_REG_MEM, 6),
            3 | 1 << 4,
            uint32_t(kData),
            uint32_t(kData >> 32),
            7,
            ~0u,
            0};
}

sim::RdWriter recording() {
    sim::RdWriter w;
    w.cmd("test");
    w.gpu_id(630);
    w.buffer(kCode, bytes_of(draw()));
    w.submit(kCode, 4);
    return w;
}

}  // namespace

TEST_CASE("adreno replay: a recording, compressed or not") {
    const sim::RdWriter w = recording();
    for (const std::vector<uint8_t>& file : {w.file(), terrazzo::test::gzip(w.file())}) {
        const Played p = play(file);
        CHECK(p.ok);
        CHECK(p.error == "");
        CHECK(p.text == "Submission 0: queue 0, 1 packets, 1 draws, 0 dispatches, 0 blits\n");
        CHECK(p.counts.work.draws == 1);
        CHECK(p.counts.faults == 0);
    }
}

TEST_CASE("adreno replay: buffers of one submit run one after another, and a submit's writes are kept") {
    sim::RdWriter w;
    w.gpu_id(630);
    w.buffer(kData, bytes_of({0, 0}));
    w.buffer(kCode, bytes_of({hw::pack_type7(Pm4Opcode::CP_MEM_WRITE, 3), uint32_t(kData),
                              uint32_t(kData >> 32), 7, hw::pack_type7(Pm4Opcode::CP_WAIT_MEM_WRITES, 0)}));
    w.buffer(kCode + 256, bytes_of(expect_seven()));
    w.submit(kCode, 5);
    w.submit(kCode + 256, 7);
    w.buffer(kCode, bytes_of(expect_seven()));
    w.submit(kCode, 7);
    const Played p = play(w.file());
    CHECK(p.ok);
    CHECK(p.counts.submits == 2);
    CHECK(p.counts.faults == 0);
    // If the recording has a newer value, that is used.
    w.buffer(kData, bytes_of({8}));
    w.submit(kCode, 7);
    const Played again = play(w.file());
    CHECK(again.ok);
    CHECK(again.counts.faults == 1);
    CHECK(again.text.find("! submission 2: it waits for a value that nothing writes") != std::string::npos);
}

TEST_CASE("adreno replay: missing memory of a recording is zero, and missing streams are omitted") {
    sim::RdWriter w;
    w.gpu_id(630);
    w.buffer(kCode, bytes_of({hw::pack_type7(Pm4Opcode::CP_MEM_TO_REG, 3), hw::VFD_INDEX_OFFSET::kRegister,
                              0x5000, 9}));
    w.submit(kCode, 4);
    w.submit(0x2'0000'0000, 4);
    // In addition to the zeros that the first submit read.
    w.buffer(kData, bytes_of({0}));
    w.submit(0x6000, 4);
    const Played p = play(w.file());
    CHECK(p.ok);
    CHECK(p.counts.faults == 0);
    CHECK(p.text.find("of 2 command buffers, the recording has 1") != std::string::npos);
    CHECK(p.text.find("of 1 command buffers, the recording has 0") != std::string::npos);
}

TEST_CASE("adreno replay: faults are counted and named") {
    sim::RdWriter w;
    w.gpu_id(630);
    w.buffer(kCode, bytes_of({hw::pack_type4(0x800, 1), 0}));
    w.submit(kCode, 2);
    const Played p = play(w.file());
    CHECK(p.ok);
    CHECK(p.counts.faults == 1);
    CHECK(p.text.find("  ! submission 0: IB1, write of 0x0800 at 0x100000000, draw 0: a write to register") !=
          std::string::npos);
}

TEST_CASE("adreno replay: the chip comes from the file, or from the caller") {
    sim::RdWriter none;
    none.buffer(kCode, bytes_of(draw()));
    none.submit(kCode, 4);
    CHECK(play(none.file()).error == "the file does not say which chip it is of: --device does");
    CHECK(play(none.file(), "sim:adreno-660").ok);
    CHECK(play(none.file(), "adreno-650").counts.work.draws == 1);
    CHECK(play(none.file(), "mali-g610").error == "there is no chip 'mali-g610'");
    sim::RdWriter other;
    other.gpu_id(320);
    CHECK(play(other.file()).error.find("no virtual GPU of a chip 320") == 0);
    CHECK(play(std::vector<uint8_t>(64, 'x')).error ==
          "it is neither a file of the freedreno tools nor a capture of an Adreno");
}

TEST_CASE("adreno replay: damaged recordings end") {
    std::mt19937 random(3);
    const std::vector<uint8_t> good = recording().file();
    for (size_t size = 0; size < good.size(); ++size)
        (void)play(std::span(good).first(size));
    unsigned refused = 0;
    for (unsigned round = 0; round < 3000; ++round) {
        std::vector<uint8_t> bad = good;
        for (unsigned i = 1 + random() % 4; i > 0; --i)
            bad[random() % bad.size()] = uint8_t(random());
        const Played p = play(bad);
        refused += !p.ok || p.counts.faults;
        CHECK((p.ok || !p.error.empty()));
    }
    CHECK(refused > 300);
}
