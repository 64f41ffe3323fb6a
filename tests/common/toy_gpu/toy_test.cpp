// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The host with the smallest virtual GPU: through the virtual kernel, to a capture, and in a replay.
#include <algorithm>
#include <cstring>

#include "drivers/common/host/gpu.h"
#include "drivers/common/host/replay.h"
#include "tests/common/toy_gpu/toy.h"
#include "tests/winsys/virtual/msm_kernel.h"

using namespace terrazzo;
using namespace terrazzo::test;
using namespace terrazzo::toy;

namespace {

using Code = toy::Op;
constexpr uint32_t kSide = 4;
/// The pixel's red is x, its green y, its alpha 255. A loop adds 1 to red x times.
const std::vector<uint32_t> kColors = {op(Code::Move, 2),       0xff000000,
                                       op(Code::Move, 3),       8,
                                       op(Code::Shl, 4, 1, 3),  op(Code::Or, 2, 2, 4),
                                       op(Code::Move, 5),       1,
                                       op(Code::Move, 6),       0,  // r6: x so far
                                       op(Code::Less, 7, 6, 0), op(Code::Branch, 13, 7),
                                       op(Code::End, 2),        op(Code::Add, 2, 2, 5),
                                       op(Code::Add, 6, 6, 5),  op(Code::Branch, 10, 5)};
/// Thread i stores 3 * i at 4 * i.
const std::vector<uint32_t> kTriples = {op(Code::Move, 2),
                                        3,
                                        op(Code::Mul, 3, 0, 2),
                                        op(Code::Move, 4),
                                        2,
                                        op(Code::Shl, 5, 0, 4),
                                        op(Code::Store, 0, 5, 3),
                                        op(Code::End)};

/// Addresses in memory: streams at 0, shaders at 1024 and 1280, data at 2048, the target at 3072.
struct Layout {
    uint8_t* bytes;
    uint64_t va;
    uint64_t data() const { return va + 2048; }
    uint64_t target() const { return va + 3072; }
    uint32_t& word(uint64_t at_B) const { return *reinterpret_cast<uint32_t*>(bytes + at_B); }
    void shaders() const {
        std::copy(kColors.begin(), kColors.end(), &word(1024));
        std::copy(kTriples.begin(), kTriples.end(), &word(1280));
    }
    std::vector<uint64_t> draw() const {
        return {set(kShader, va + 1024), set(kTarget, target()), set(kWidth, kSide), set(kHeight, kSide),
                packet(Packet::Draw, 0)};
    }
    std::vector<uint64_t> triples(uint64_t threads) const {
        return {set(kShader, va + 1280), set(kUniform, data()), packet(Packet::Dispatch, threads)};
    }
    std::vector<uint64_t> wait(uint32_t least) const {
        return {set(kValue, least), packet(Packet::Wait, data())};
    }
    std::vector<uint64_t> write(uint32_t value) const {
        return {set(kValue, value), packet(Packet::Write, data())};
    }
    void check_colors(const uint8_t* pixels) const {
        for (uint32_t y = 0; y < kSide; ++y)
            for (uint32_t x = 0; x < kSide; ++x) {
                uint32_t color;
                std::memcpy(&color, pixels + (y * kSide + x) * 4, 4);
                CHECK(color == (0xff000000 | y << 8 | x));
            }
    }
};

std::vector<uint64_t> operator+(std::vector<uint64_t> a, const std::vector<uint64_t>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

struct Setup : MsmKernel {
    explicit Setup(host::GpuOptions how = {.trace = {}}, uint64_t timeout_ns = 0) : MsmKernel(false) {
        winsys::virt::SchedulerOptions options;
        options.report = [this](const std::string& line) { reports.push_back(line); };
        if (timeout_ns) options.run_timeout_ns = timeout_ns;
        const host::Chip& chip = *vendor().find("toy-1");
        file.reset();
        device = chip.create_kernel_device(host::create_gpu(chip, std::move(how)), options);
        file = open();
        page = bo(4096);
        at = {map<uint8_t>(page, 4096), iova(page)};
        at.shaders();
    }
    ~Setup() {
        file.reset();
        munmap(at.bytes, 4096);
    }
    uint32_t start(const std::vector<uint64_t>& stream, uint32_t on = 0, uint32_t at_B = 0) {
        std::memcpy(at.bytes + at_B, stream.data(), stream.size() * 8);
        const std::vector<drm_msm_gem_submit_bo> bos{{kMsmSubmitBoRead | kMsmSubmitBoWrite, page, 0}};
        const std::vector<drm_msm_gem_submit_cmd> cmds{
            {kMsmSubmitCmdBuf, 0, at_B, uint32_t(stream.size() * 8), 0, 0, 0}};
        auto args = submit_args(on, bos, cmds);
        args.flags |= kMsmSubmitNoImplicit;  // all submits use one page
        REQUIRE(ioctl(kMsmGemSubmit, &args) == 0);
        return args.fence;
    }
    void run(const std::vector<uint64_t>& stream) { REQUIRE(wait(0, start(stream)) == 0); }
    uint32_t page = 0;
    Layout at{};
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}
struct Played : host::PictureSink {
    explicit Played(const std::vector<uint8_t>& bytes, bool draws_nothing = false) {
        fields::StringSink sink;
        const host::ReplayOptions options{.draws_nothing = draws_nothing, .pictures = this};
        ok = host::replay(bytes, vendor(), options, sink, &counts, &error);
        text = sink.text;
    }
    void picture(const host::Picture& p) override { pictures.push_back(p); }
    bool ok = false;
    host::ReplayCounts counts;
    std::string text, error;
    std::vector<host::Picture> pictures;
};

/// A recording that `write` writes, with the page of a layout at 0x10000.
struct Recording {
    Recording() : layout{page.data(), 0x10000}, file(std::tmpfile()), writer(file) {
        layout.shaders();
        writer.chip(vendor().id, 1, 0);
    }
    ~Recording() { std::fclose(file); }
    void submit(uint32_t queue, const std::vector<uint64_t>& stream, uint64_t at_B = 0) {
        std::memcpy(page.data() + at_B, stream.data(), stream.size() * 8);
        // Only streams and shaders are reset: the written data stays.
        writer.memory(layout.va, std::span(page).first(memory_B));
        memory_B = 2048;
        writer.submit(layout.va + at_B, stream.size() * 8, queue, {});
    }
    std::vector<uint8_t> bytes() const {
        std::vector<uint8_t> out(size_t(std::ftell(file)));
        std::rewind(file);
        REQUIRE(std::fread(out.data(), 1, out.size(), file) == out.size());
        return out;
    }
    std::vector<uint8_t> page = std::vector<uint8_t>(4096);
    Layout layout;
    std::FILE* const file;
    capture::CaptureWriter writer;
    size_t memory_B = 4096;
};

}  // namespace

TEST_CASE("toy gpu: draws and dispatches through the virtual kernel") {
    Setup s;
    s.run(s.at.draw() + s.at.triples(5));
    s.at.check_colors(s.at.bytes + 3072);
    for (uint32_t i = 0; i < 6; ++i)
        CHECK(s.at.word(2048 + 4 * i) == (i < 5 ? 3 * i : 0));
}

TEST_CASE("toy gpu: a waiting submit continues after another queue has written") {
    Setup s;
    const uint32_t low = s.queue(2), high = s.queue(0);
    const uint32_t first = s.start(s.at.wait(7) + s.at.draw(), low);
    CHECK(s.wait(low, first, 20) == -ETIMEDOUT);
    const uint32_t second = s.start(s.at.write(7), high, 512);
    CHECK(s.wait(high, second) == 0);
    CHECK(s.wait(low, first) == 0);
    s.at.check_colors(s.at.bytes + 3072);
}

TEST_CASE("toy gpu: faults name packet, address, draw and rule; an endless shader is stopped") {
    Setup s({.trace = {}}, 50'000'000);
    s.run(s.at.draw() + std::vector<uint64_t>{packet(Packet::Set, 1, 77)});
    REQUIRE(s.reports.size() == 1);
    CHECK(has(s.reports[0], "CP_HW_FAULT_ERROR"));
    CHECK(has(s.reports[0], "SET at 0x"));
    CHECK(has(s.reports[0], ", draw 1: there is no register 77"));
    s.run({set(kShader, 0x1000), packet(Packet::Dispatch, 1)});
    CHECK(has(s.reports.back(), "shader at 0x1000, instruction 0: read of 4 bytes at 0x1000: not mapped"));
    s.at.word(1280) = op(Code::Move, 2), s.at.word(1284) = 1, s.at.word(1288) = op(Code::Branch, 0, 2);
    s.run(s.at.triples(1));
    CHECK(s.faults(0) == 3);
    s.run(s.at.draw());
    CHECK(s.reports.size() == 3);
}

TEST_CASE("toy gpu: its input is recorded as text and in a file, which is replayed with its pictures") {
    char* text = nullptr;
    size_t size = 0;
    std::FILE* const out = open_memstream(&text, &size);
    {
        Setup s({.runs = false, .trace = {{.file = "", .text = out}}});
        s.run(s.at.write(9));
    }
    std::fclose(out);
    const std::string printed(text);
    std::free(text);
    CHECK(has(printed, "Submission 0 of address space 0: queue 1, 16 bytes @0x1"));
    CHECK(has(printed, "  SET r0, 0x9\n"));
    char name[] = "/tmp/terrazzo-toy-XXXXXX";
    ::close(mkstemp(name));
    {
        Setup s({.trace = {{.file = name}}});
        s.run(s.at.draw());
        s.run(s.at.triples(2));
    }
    std::vector<uint8_t> bytes(1 << 20);
    std::FILE* const file = std::fopen(name, "rb");
    REQUIRE(file);
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
    std::fclose(file);
    unlink(name);
    const Played p(bytes);
    CHECK(p.ok);
    CHECK(p.counts.submits == 2);
    CHECK(p.counts.work.dispatches == 1);
    CHECK(has(p.text, "Submission 0: queue 1, 5 packets, 1 draws, 0 dispatches, 0 blits\n"));
    CHECK(has(p.text, std::to_string(p.counts.work.fragments) + " fragments, 0 samples passed"));
    CHECK(p.counts.work.instructions > p.counts.work.fragments);
    REQUIRE(p.pictures.size() == 1);
    CHECK(p.pictures[0].submission == 0);
    Layout{}.check_colors(p.pictures[0].rgba.data());
    CHECK(Played(bytes, true).counts.work.draws == 1);
}

TEST_CASE("replay: queues wait for each other; endless waits and faults are findings") {
    Recording good;
    good.submit(0, good.layout.wait(1) + good.layout.write(2));
    good.submit(1, good.layout.write(1), 512);
    good.submit(5, good.layout.wait(2) + good.layout.draw(), 768);  // another group
    const Played p(good.bytes());
    CHECK(p.ok);
    CHECK(p.counts.faults == 0);
    CHECK(has(p.text, "Submission 0: queue 0, 1 packets, 0 draws, 0 dispatches, 0 blits, and it waits\n"));
    REQUIRE(p.pictures.size() == 1);
    CHECK(p.pictures[0].submission == 2);
    good.layout.check_colors(p.pictures[0].rgba.data());

    Recording bad;
    bad.submit(0, bad.layout.wait(1));
    bad.submit(0, {set(kShader, 0)});  // the kernel would not start it
    bad.submit(2, {packet(Packet(9), 0)});
    bad.submit(3, bad.layout.wait(5));
    const Played b(bad.bytes());
    CHECK(b.counts.faults == 3);
    CHECK(has(b.text, "  ! submission 0: it waits for a value that nothing writes\n"));
    CHECK(has(b.text, "  ! submission 2: packet at 0x10000, draw 0: there is no such packet\n"));
    CHECK(has(b.text, "  ! submission 3: it waits for a value that nothing writes\n"));
}
