// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual kernel's input, in a file, and the decoder's counts of it.
#include "drivers/common/host/gpu.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "drivers/common/capture/capture.h"
#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/cs.h"
#include "drivers/mali/sim/chips.h"
#include "tests/winsys/virtual/kernel.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;

namespace {

constexpr uint64_t kCode = 0x10000, kData = 0x80000;

/// A device that runs nothing and records everything.
struct Setup : Kernel {
    /// If `text` is set, it is printed there.
    explicit Setup(uint64_t limit = UINT64_MAX, std::FILE* text = nullptr) : Kernel(false) {
        char pattern[] = "/tmp/terrazzo-capture-test-XXXXXX";
        const int fd = mkstemp(pattern);
        REQUIRE(fd >= 0);
        close(fd);
        name = pattern;
        const hw::Chip& chip = *hw::find_chip("mali-g610");
        file.reset();
        device = winsys::virt::panthor::create_device(
            sim::gpu_info(chip),
            host::create_gpu(*sim::host_vendor().find("mali-g610"),
                             {.runs = false, .trace = {{text ? std::string() : name, limit, text}}}),
            {});
        file = open();
        vm_id = vm();
        const uint32_t code_bo = bo(4096), data_bo = bo(3 * 4096);
        code = map<uint64_t>(code_bo, 4096);
        data = map<uint64_t>(data_bo, 3 * 4096);
        bind(vm_id, code_bo, kCode, 4096);
        bind(vm_id, data_bo, kData, 3 * 4096, kVmBindOpNoExec);
        group_id = group(vm_id, 2);
    }
    ~Setup() {
        file.reset();
        munmap(code, 4096);
        munmap(data, 3 * 4096);
        unlink(name.c_str());
    }
    void run(uint32_t group_handle, uint32_t queue, std::initializer_list<uint64_t> stream) {
        std::copy(stream.begin(), stream.end(), code);
        const uint32_t done = syncobj();
        REQUIRE(submit_error(group_handle, queue, kCode, uint32_t(8 * stream.size()),
                             {{kSyncOpSignal, done, 0}}) == 0);
        REQUIRE(wait(done) == 0);
    }
    void read() {
        bytes.clear();
        std::FILE* const f = std::fopen(name.c_str(), "rb");
        REQUIRE(f);
        for (int c; (c = std::fgetc(f)) != EOF;)
            bytes.push_back(uint8_t(c));
        std::fclose(f);
    }
    /// "chip", "memory 10000+1000", ... in order. Of the memory, only what this test binds.
    std::vector<std::string> records() {
        read();
        capture::CaptureReader reader(bytes);
        std::vector<std::string> out;
        for (capture::Record r; reader.next(&r);) {
            char text[64];
            const auto n = [](uint64_t v) { return static_cast<unsigned long long>(v); };
            switch (r.type) {
                case capture::RecordType::Chip:
                    std::snprintf(text, sizeof text, "chip %x", r.gpu_id);
                    break;
                case capture::RecordType::Memory:
                    std::snprintf(text, sizeof text, "memory %llx+%llx", n(r.va), n(r.bytes.size()));
                    break;
                case capture::RecordType::Zeros:
                    std::snprintf(text, sizeof text, "zeros %llx+%llx", n(r.va), n(r.size_B));
                    break;
                case capture::RecordType::Submit:
                    std::snprintf(text, sizeof text, "submit %u %llx+%llx", r.queue, n(r.va), n(r.size_B));
                    break;
                case capture::RecordType::Note:
                    std::snprintf(text, sizeof text, "note");
                    break;
            }
            const bool is_memory =
                r.type == capture::RecordType::Memory || r.type == capture::RecordType::Zeros;
            if (!is_memory || r.va < kData + 3 * 4096) out.emplace_back(text);
        }
        CHECK(reader.error() == nullptr);
        return out;
    }
    std::string name;
    std::vector<uint8_t> bytes;
    uint32_t vm_id, group_id;
    uint64_t *code, *data;
};

uint64_t move(unsigned reg, uint64_t v) {
    return hw::pack64(hw::CsMove{.immediate = v, .destination = reg});
}

}  // namespace

TEST_CASE("capture: pages once, then changed pages") {
    Setup s;
    s.data[512] = 7;  // the second page
    s.run(s.group_id, 0, {move(10, 1)});
    s.data[512] = 8;
    s.data[2 * 512 + 511] = 9;
    s.run(s.group_id, 1, {move(10, 1)});
    s.data[512] = 0;
    s.run(s.group_id, 0, {move(12, 1), move(14, 2)});
    const uint32_t other = s.group(s.vm_id, 1);
    s.run(other, 0, {move(12, 1), move(14, 2)});
    char chip[32];
    std::snprintf(chip, sizeof chip, "chip %x", hw::find_chip("mali-g610")->gpu_id);
    CHECK(s.records() ==
          std::vector<std::string>{chip,                                                          //
                                   "memory 10000+1000", "zeros 80000+1000", "memory 81000+1000",  //
                                   "zeros 82000+1000", "submit 0 10000+8",                        //
                                   "memory 81000+2000", "submit 1 10000+8",                       //
                                   "memory 10000+1000", "zeros 81000+1000", "submit 0 10000+10",  //
                                   "submit 8 10000+10"});
}

TEST_CASE("capture: a limit") {
    Setup s(2);
    for (uint64_t i = 0; i < 4; ++i)
        s.run(s.group_id, 0, {move(10, i)});
    int submissions = 0;
    for (const std::string& r : s.records())
        submissions += r.starts_with("submit");
    CHECK(submissions == 2);
}

TEST_CASE("capture: each address space has a file") {
    Setup s;
    const uint32_t other_vm = s.vm(), other = s.group(other_vm, 1);
    const uint32_t code_bo = s.bo(4096);
    s.bind(other_vm, code_bo, kCode, 4096);
    s.run(s.group_id, 0, {move(10, 1)});
    const uint32_t done = s.syncobj();
    REQUIRE(s.submit_error(other, 0, kCode, 8, {{kSyncOpSignal, done, 0}}) == 0);
    REQUIRE(s.wait(done) == 0);
    const std::string first = s.name;
    const auto count = [&] {
        int n = 0;
        for (const std::string& r : s.records())
            n += r.starts_with("submit");
        return n;
    };
    CHECK(count() == 1);
    s.name = first + ".1";
    CHECK(count() == 1);
    unlink(s.name.c_str());
    s.name = first;
}

TEST_CASE("capture: the decoder's counts") {
    Setup s;
    const uint64_t idvs = hw::pack64(hw::CsRunIdvs{});
    s.run(s.group_id, 0, {move(10, 1), move(12, 1), idvs, move(12, 2), idvs, idvs, move(0, 0)});
    s.read();
    struct NoText final : fields::Sink {
        void line(unsigned, std::string_view) override {}
    } sink;
    mali::decode::Statistics counts;
    std::string error;
    REQUIRE(mali::decode::print_capture(s.bytes, sink, {.statistics = &counts}, &error));
    CHECK(counts.submissions == 1);
    CHECK(counts.instructions == 7);
    CHECK(counts.idvs == 3);
    CHECK(counts.draw_B == std::vector<uint32_t>{24, 16, 8});
}

TEST_CASE("capture: as text, immediately, up to its limit") {
    char* text = nullptr;
    size_t size = 0;
    std::FILE* const out = open_memstream(&text, &size);
    REQUIRE(out);
    {
        Setup s(UINT64_MAX, out);
        s.run(s.group_id, 0, {move(40, kData)});
        std::fflush(out);
        CHECK(std::string(text) ==
              "Submission 0 of address space 0: queue 0, 8 bytes @0x10000\n"
              "000000010000  0128000000080000  MOVE d40, #0x80000\n");
        s.run(s.group_id, 1, {0});
        s.run(s.group_id, 0, {0});
    }
    std::fclose(out);
    const std::string all(text);
    std::free(text);
    CHECK(all.find("Submission 1 of address space 0: queue 1, 8 bytes") != std::string::npos);
    CHECK(all.find("Submission 2 of address space 0: queue 0, 8 bytes") != std::string::npos);
}

TEST_CASE("capture: TERRAZZO_DEBUG's words") {
    capture::TraceOptions o;
    CHECK_FALSE(capture::trace_options(pipe::parse_debug(""), &o));
    CHECK_FALSE(capture::trace_options(pipe::parse_debug("egl,gl"), &o));
    CHECK_FALSE(capture::trace_options(pipe::parse_debug("trace:"), &o));
    REQUIRE(capture::trace_options(pipe::parse_debug("egl,trace:/tmp/a,gl"), &o));
    CHECK(o.file == "/tmp/a");
    CHECK(o.limit == UINT64_MAX);
    REQUIRE(capture::trace_options(pipe::parse_debug("trace-limit:20,trace:x-%p"), &o));
    CHECK(o.file == "x-" + std::to_string(getpid()));
    CHECK(o.limit == 20);
    REQUIRE(capture::trace_options(pipe::parse_debug("trace"), &o));
    CHECK(o.file.empty());
    CHECK(o.text == stderr);
}
