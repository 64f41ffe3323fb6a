// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The input of the virtual msm kernel, in a file of each format and as text.
#include "drivers/common/host/gpu.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "drivers/adreno/sim/chips.h"
#include "tests/adreno/decode/stream_builder.h"
#include "tests/winsys/virtual/msm_kernel.h"

using namespace terrazzo;
using namespace terrazzo::adreno;
using namespace terrazzo::test;

namespace {

/// A device that runs nothing and records everything in `name`; if `text` is set, it is printed there.
struct Setup : MsmKernel {
    explicit Setup(const char* ending, uint64_t limit = UINT64_MAX, std::FILE* text = nullptr)
        : MsmKernel(false) {
        char pattern[] = "/tmp/terrazzo-capture-test-XXXXXX";
        const int fd = mkstemp(pattern);
        REQUIRE(fd >= 0);
        ::close(fd);
        unlink(pattern);
        name = std::string(pattern) + ending;
        const hw::Chip& chip = *hw::find_chip("adreno-630");
        file.reset();
        device = winsys::virt::msm::create_device(
            sim::gpu_info(chip),
            host::create_gpu(*sim::host_vendor().find("adreno-630"),
                             {.runs = false, .trace = {{text ? std::string() : name, limit, text}}}),
            {});
        file = open();
        code_bo = bo(4096);
        code = map<uint32_t>(code_bo, 4096);
    }
    ~Setup() {
        file.reset();
        munmap(code, 4096);
        unlink(name.c_str());
    }

    /// A submit with two command buffers: waits, and `last` after a write of a scratch register.
    void run(uint32_t value) {
        code[0] = hw::pack_type7(hw::Pm4Opcode::CP_WAIT_FOR_IDLE, 0);
        code[1] = hw::pack_type4(0x883, 1);  // CP_SCRATCH_REG[0]
        code[2] = value;
        const std::vector<drm_msm_gem_submit_bo> bos{{kMsmSubmitBoRead, code_bo, 0}};
        const std::vector<drm_msm_gem_submit_cmd> cmds{{kMsmSubmitCmdBuf, 0, 0, 4, 0, 0, 0},
                                                       {kMsmSubmitCmdIbTargetBuf, 0, 0, 8, 0, 0, 0},
                                                       {kMsmSubmitCmdBuf, 0, 4, 8, 0, 0, 0}};
        auto args = submit_args(0, bos, cmds);
        REQUIRE(ioctl(kMsmGemSubmit, &args) == 0);
        REQUIRE(wait(0, args.fence) == 0);
    }
    std::vector<uint8_t> bytes() const {
        std::vector<uint8_t> out;
        std::FILE* const f = std::fopen(name.c_str(), "rb");
        REQUIRE(f);
        for (int c; (c = std::fgetc(f)) != EOF;)
            out.push_back(uint8_t(c));
        std::fclose(f);
        return out;
    }
    struct Printed {
        adreno::decode::FileKind kind;
        adreno::decode::Statistics counts;
        std::string text;
    };
    Printed print() const {
        const std::vector<uint8_t> all = bytes();
        Printed p;
        p.kind = adreno::decode::file_kind(all);
        fields::StringSink sink;
        std::string error;
        const adreno::decode::Options options{.statistics = &p.counts};
        CHECK((p.kind == adreno::decode::FileKind::Rd
                   ? adreno::decode::print_rd(all, sink, options, &error)
                   : adreno::decode::print_capture(all, sink, options, &error)));
        CHECK(error == "");
        p.text = sink.text;
        return p;
    }
    std::string name;
    uint32_t code_bo = 0;
    uint32_t* code = nullptr;
};

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("adreno capture: each command buffer that the ring calls, in both file formats") {
    for (const char* ending : {".rd", ".cap"}) {
        CAPTURE(ending);
        Setup s(ending);
        s.run(0x1111);
        s.run(0x2222);
        const Setup::Printed p = s.print();
        CHECK((p.kind == adreno::decode::FileKind::Rd) == (std::string(ending) == ".rd"));
        CHECK(p.counts.submissions == 4);  // without the buffer that other buffers call
        CHECK(p.counts.packets == 4);
        CHECK(p.counts.problems == 0);
        CHECK(has(p.text, "GPU: 630"));
        // Memory as it was at each submit.
        CHECK(has(p.text, "CP_SCRATCH[0] = 0x00001111"));
        CHECK(has(p.text, "CP_SCRATCH[0] = 0x00002222"));
    }
}

TEST_CASE("adreno capture: a limit") {
    for (const char* ending : {".rd", ".cap"}) {
        Setup s(ending, 2);
        for (uint32_t i = 0; i < 4; i++)
            s.run(i);
        CHECK(s.print().counts.submissions == 4);
    }
}

TEST_CASE("adreno capture: each context has a file") {
    Setup s(".rd");
    s.run(0x1111);
    const std::string first = s.name;
    munmap(s.code, 4096);
    auto old = std::exchange(s.file, s.open());
    s.code_bo = s.bo(4096);
    s.code = s.map<uint32_t>(s.code_bo, 4096);
    s.run(0x2222);
    CHECK_FALSE(has(s.print().text, "CP_SCRATCH[0] = 0x00002222"));
    s.name = first + ".1";
    const Setup::Printed p = s.print();
    CHECK(p.kind == adreno::decode::FileKind::Rd);
    CHECK(has(p.text, "CP_SCRATCH[0] = 0x00002222"));
    unlink(s.name.c_str());
    s.name = first;
}

TEST_CASE("adreno capture: as text, immediately") {
    char* text = nullptr;
    size_t size = 0;
    std::FILE* const out = open_memstream(&text, &size);
    REQUIRE(out);
    {
        Setup s("", 1, out);
        s.run(0x1111);
        s.run(0x2222);
    }
    std::fclose(out);
    const std::string all(text);
    std::free(text);
    CHECK(all.starts_with("Submission 0 of address space 0: queue 1, 4 bytes @0x1"));
    CHECK(has(all, "\nSubmission 0 of address space 0: queue 1, 8 bytes @0x1"));
    CHECK(has(all, "CP_SCRATCH[0] = 0x00001111"));
    CHECK_FALSE(has(all, "CP_SCRATCH[0] = 0x00002222"));
}
