// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual GPU with the virtual kernel: the result of a submit, and the state that is kept from one submit
// to the next.
#include "drivers/common/host/gpu.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/chips.h"
#include "tests/winsys/virtual/msm_kernel.h"

using namespace terrazzo;
using namespace terrazzo::adreno;
using namespace terrazzo::test;
using hw::Pm4Opcode;

namespace {

constexpr uint16_t kReg = hw::VFD_INDEX_OFFSET::kRegister;

/// A device with a virtual GPU, and a page whose first half is a stream and whose second half is data.
struct Setup : MsmKernel {
    explicit Setup(uint64_t timeout_ns = 0, const std::string& core_dump_file = {}) : MsmKernel(false) {
        const hw::Chip& chip = *hw::find_chip("adreno-630");
        winsys::virt::SchedulerOptions options;
        options.report = [this](const std::string& line) { reports.push_back(line); };
        if (timeout_ns) options.run_timeout_ns = timeout_ns;
        host::GpuOptions how;
        if (!core_dump_file.empty()) how.trace = {.file = core_dump_file};
        file.reset();
        device = winsys::virt::msm::create_device(
            sim::gpu_info(chip), host::create_gpu(*sim::host_vendor().find("adreno-630"), std::move(how)),
            options);
        file = open();
        page = bo(4096);
        words = map<uint32_t>(page, 4096);
        va = iova(page) + 2048;
    }
    ~Setup() {
        file.reset();
        munmap(words, 4096);
    }
    uint32_t& data(unsigned i) { return words[512 + i]; }
    std::vector<uint32_t> wait_for_data(uint32_t value) const {
        return {hw::pack_type7(Pm4Opcode::CP_WAIT_REG_MEM, 6),
                3 | 1 << 4,
                uint32_t(va),
                uint32_t(va >> 32),
                value,
                ~0u,
                0};
    }
    /// Writes register `reg` to word i of the data.
    std::vector<uint32_t> save(uint16_t reg, unsigned i) const {
        const uint64_t to = va + i * 4;
        return {hw::pack_type7(Pm4Opcode::CP_REG_TO_MEM, 3), reg, uint32_t(to), uint32_t(to >> 32)};
    }
    /// Submits a stream at word `at` of the page. Returns the fence.
    uint32_t start(std::vector<uint32_t> stream, uint32_t on = 0, uint32_t at = 0) {
        std::copy(stream.begin(), stream.end(), words + at);
        const std::vector<drm_msm_gem_submit_bo> bos{{kMsmSubmitBoRead | kMsmSubmitBoWrite, page, 0}};
        const std::vector<drm_msm_gem_submit_cmd> cmds{
            {kMsmSubmitCmdBuf, 0, at * 4, uint32_t(stream.size()) * 4, 0, 0, 0}};
        auto args = submit_args(on, bos, cmds);
        args.flags |= kMsmSubmitNoImplicit;  // all submits use one page
        REQUIRE(ioctl(kMsmGemSubmit, &args) == 0);
        return args.fence;
    }
    void run(const std::vector<uint32_t>& stream) { REQUIRE(wait(0, start(stream)) == 0); }

    uint32_t page = 0;
    uint32_t* words = nullptr;
    uint64_t va = 0;
};

std::vector<uint32_t> operator+(std::vector<uint32_t> a, const std::vector<uint32_t>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

std::vector<uint32_t> set(uint16_t reg, uint32_t value) {
    return {hw::pack_type4(reg, 1), value};
}

}  // namespace

/// The words of a line in base 85.
std::vector<uint32_t> from_base85(std::string_view text) {
    std::vector<uint32_t> words;
    while (!text.empty()) {
        const size_t digits = text[0] == 'z' ? 1 : 5;
        REQUIRE(text.size() >= digits);
        uint64_t word = 0;
        for (size_t i = 0; digits == 5 && i < 5; ++i)
            word = word * 85 + uint64_t(text[i] - '!');
        words.push_back(uint32_t(word));
        text.remove_prefix(digits);
    }
    return words;
}

TEST_CASE("adreno gpu: the first fault leads to a kernel's core dump") {
    char folder[] = "/tmp/terrazzo-core-XXXXXX";
    REQUIRE(mkdtemp(folder));
    const std::string path = std::string(folder) + "/first.devcd";
    Setup s(0, path);
    s.run(set(kReg, 7));
    CHECK(!std::ifstream(path));
    const std::vector<uint32_t> stream =
        set(kReg, 42) +
        std::vector<uint32_t>{hw::pack_type7(Pm4Opcode(0x7e), 0), hw::pack_type7(Pm4Opcode::CP_NOP, 0)};
    s.run(stream);
    s.run({hw::pack_type7(Pm4Opcode::CP_DRAW_INDX_OFFSET, 3), 2 << 6, 1,
           3});  // another fault, which is not in the file
    std::ifstream file(path);
    std::string line, name;
    std::map<std::string, std::vector<std::string>> lines;  // the lines of each section
    while (std::getline(file, line)) {
        if (!line.empty() && line[0] != ' ') name = line.substr(0, line.find(':'));
        lines[name].push_back(line);
    }
    CHECK(lines["cmdline"][0].find("0x7e") != std::string::npos);
    CHECK(lines["revision"][0] == "revision: 630 (6.3.0.1)");
    // The ring calls the stream: header, address, words.
    const std::vector<uint32_t> ring = from_base85(lines["ringbuffer"].back().substr(5));
    REQUIRE(ring.size() == 0x2000);
    CHECK(ring[1] == uint32_t(s.va - 2048));
    CHECK(ring[3] == stream.size());
    CHECK(lines["ringbuffer"][5] == "    rptr: 4");
    // The page contains the stream of the first fault.
    char address[64];
    std::snprintf(address, sizeof address, "  - iova: 0x%016llx",
                  static_cast<unsigned long long>(s.va - 2048));
    const auto& memory = lines["bos"];
    const auto page = std::find(memory.begin(), memory.end(), address);
    REQUIRE(memory.end() - page > 4);
    CHECK(page[1] == "    size: 4096");
    const std::vector<uint32_t> words = from_base85(page[4].substr(5));
    REQUIRE(words.size() == 1024);
    CHECK(std::equal(stream.begin(), stream.end(), words.begin()));
    // Offsets in bytes. One word of the stream remains.
    const auto has = [&](uint16_t reg, uint32_t value) {
        char text[64];
        std::snprintf(text, sizeof text, "  - { offset: 0x%05x, value: 0x%08x }", unsigned(reg) * 4, value);
        const auto& r = lines["registers"];
        return std::find(r.begin(), r.end(), text) != r.end();
    };
    CHECK(has(kReg, 42));
    CHECK(has(0x928, uint32_t(s.va - 2048)));
    CHECK(has(0x92a, 1));
    std::filesystem::remove_all(folder);
}

TEST_CASE("adreno gpu: a stream runs, and registers keep their values until another context has run") {
    Setup s;
    s.run(set(kReg, 42) + s.save(kReg, 1));
    CHECK(s.data(1) == 42);
    s.run(s.save(kReg, 2));
    CHECK(s.data(2) == 42);
    CHECK(s.reports.empty());
    CHECK(s.faults(0) == 0);
}

TEST_CASE("adreno gpu: a fault is reported, and the next submit runs") {
    Setup s;
    s.run({hw::pack_type7(Pm4Opcode::CP_DRAW_INDX_OFFSET, 3), 2 << 6, 1, 3});
    REQUIRE(s.reports.size() == 1);
    CHECK(s.reports[0].find("CP_HW_FAULT_ERROR") != std::string::npos);
    CHECK(s.reports[0].find("IB1, CP_DRAW_INDX_OFFSET at 0x") != std::string::npos);
    CHECK(s.faults(0) == 1);
    s.run(set(0x800, 1));
    CHECK(s.reports.back().find("CP_REGISTER_PROTECTION_ERROR") != std::string::npos);
    s.run({hw::pack_type7(Pm4Opcode(0x7e), 0)});
    CHECK(s.reports.back().find("CP_OPCODE_ERROR") != std::string::npos);
    s.run({hw::pack_type7(Pm4Opcode::CP_MEM_WRITE, 3), 0x1000, 0, 0});
    CHECK(s.reports.back().find("SMMU fault") != std::string::npos);
    CHECK(s.faults(0) == 4);
    s.run(set(kReg, 5) + s.save(kReg, 1));
    CHECK(s.data(1) == 5);
}

TEST_CASE("adreno gpu: after a fault registers have no values") {
    Setup s;
    // The address of a counter that was written before the fault is not used.
    const std::vector<uint32_t> counts = {hw::pack_type7(Pm4Opcode::CP_EVENT_WRITE, 1),
                                          uint32_t(hw::EventType::WRITE_PRIMITIVE_COUNTS)};
    const std::vector<uint32_t> address = {hw::pack_type4(hw::VPC_SO_STREAM_COUNTS::kRegister, 2),
                                           uint32_t(s.va), uint32_t(s.va >> 32)};
    s.run(address + counts);
    s.run(counts);
    CHECK(s.reports.empty());
    s.run({0});
    s.run(counts);
    REQUIRE(s.reports.size() == 2);
    CHECK(s.reports[1].find("VPC_SO_STREAM_COUNTS was never written") != std::string::npos);
}

TEST_CASE("adreno gpu: a submit that waits gets its registers back after another of the context") {
    Setup s;
    const uint32_t low = s.queue(2), high = s.queue(0);
    const uint32_t first = s.start(set(kReg, 1) + s.wait_for_data(9) + s.save(kReg, 1), low);
    const uint32_t second = s.start(set(kReg, 2) + s.save(kReg, 2), high, 256);
    REQUIRE(s.wait(high, second) == 0);
    CHECK(s.data(2) == 2);
    CHECK(s.wait(low, first, 20) == -ETIMEDOUT);
    __atomic_store_n(&s.data(0), 9u, __ATOMIC_RELEASE);
    REQUIRE(s.wait(low, first) == 0);
    CHECK(s.data(1) == 1);
    CHECK(s.reports.empty());
}

TEST_CASE("adreno gpu: an endless submit is killed") {
    Setup s(50'000'000);
    const uint64_t va = s.va - 2048;
    s.run({hw::pack_type7(Pm4Opcode::CP_INDIRECT_BUFFER_CHAIN, 3), uint32_t(va), uint32_t(va >> 32), 4});
    REQUIRE(s.reports.size() == 1);
    CHECK(s.faults(0) == 1);
    s.run(set(kReg, 5) + s.save(kReg, 1));
    CHECK(s.data(1) == 5);
}
