// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/decode/rd.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "drivers/adreno/sim/rd_files.h"
#include "drivers/common/capture/capture.h"
#include "tests/adreno/decode/stream_builder.h"
#include "tests/common/capture/gzip.h"

namespace terrazzo::adreno::decode {

namespace {

sim::RdWriter small_file() {
    Stream stream;
    stream.opcode(hw::Pm4Opcode::CP_WAIT_FOR_IDLE);
    sim::RdWriter file;
    file.gpu_id(630);
    file.chip_id(0x06030001);
    file.cmd("cube");
    file.buffer(0x100001000, stream.bytes());
    file.submit(0x100001000, stream.size_dw());
    return file;
}

}  // namespace

TEST_CASE("rd: written files are read") {
    const sim::RdWriter writer = small_file();
    RdReader reader(writer.file());
    sim::RdWriter again;
    std::vector<RdSection> sections;
    for (RdSection section; reader.next(&section);) {
        sections.push_back(section);
        again.section(section.type, section.data);
    }
    CHECK(reader.error() == nullptr);
    CHECK(again.file() == writer.file());
    REQUIRE(sections.size() == 6);
    CHECK(sections[0].type == RdType::GpuId);
    CHECK(sections[0].id == 630);
    CHECK(sections[1].id == 0x06030001);
    CHECK(std::string(sections[2].data.begin(), sections[2].data.end()) == std::string("cube", 5));
    CHECK(sections[3].type == RdType::GpuAddr);
    CHECK(sections[3].va == 0x100001000);
    CHECK(sections[3].size == 4);
    CHECK(sections[4].data.size() == 4);
    CHECK(sections[5].type == RdType::CmdstreamAddr);
    CHECK(sections[5].va == 0x100001000);
    CHECK(sections[5].size == 1);
}

TEST_CASE("rd: padding, short addresses and other sections are read") {
    const std::vector<uint8_t> file = {255, 255, 255, 255, 255, 255, 255, 255,  // padding
                                       3,   0,   0,   0,   8,   0,   0,   0,   0, 16, 0, 0, 4,
                                       0,   0,   0,   99,  0,   0,   0,   1,   0, 0,  0, 7};
    RdReader reader(file);
    RdSection section;
    REQUIRE(reader.next(&section));
    CHECK(section.va == 0x1000);
    CHECK(section.size == 4);
    REQUIRE(reader.next(&section));
    CHECK(section.type == RdType(99));
    CHECK(section.data.size() == 1);
    CHECK_FALSE(reader.next(&section));
    CHECK(reader.error() == nullptr);
}

TEST_CASE("rd: a file that ends inside a section is damaged") {
    const std::vector<uint8_t> file = small_file().file();
    std::vector<size_t> ends = {0};
    RdReader whole(file);
    for (RdSection section; whole.next(&section);)
        ends.push_back(ends.back() + 8 + section.data.size());
    for (size_t size = 0; size < file.size(); ++size) {
        RdReader reader({file.data(), size});
        RdSection section;
        while (reader.next(&section)) {
        }
        const bool between = std::find(ends.begin(), ends.end(), size) != ends.end();
        CHECK((reader.error() == nullptr) == between);
    }
    for (uint8_t type : {3, 6, 13, 14}) {
        const std::vector<uint8_t> odd = {type, 0, 0, 0, 2, 0, 0, 0, 1, 1};
        RdReader reader(odd);
        RdSection section;
        CHECK_FALSE(reader.next(&section));
        CHECK(reader.error() != nullptr);
    }
}

TEST_CASE("rd: files as text, plain and compressed") {
    const std::vector<uint8_t> plain = small_file().file(), packed = terrazzo::test::gzip(plain);
    for (const auto& file : {plain, packed}) {
        fields::StringSink sink;
        std::string error;
        Statistics statistics;
        CHECK(print_rd(file, sink, {.statistics = &statistics}, &error));
        CHECK(sink.text ==
              "GPU: 630\nChip: 0x6030001\nProgram: cube\nSubmission 0: 1 dwords @0x100001000\n"
              "  100001000  70268000  CP_WAIT_FOR_IDLE\n");
        CHECK(statistics.submissions == 1);
    }
    fields::StringSink sink;
    std::string error;
    sim::RdWriter old;
    old.gpu_id(540);
    CHECK_FALSE(print_rd(old.file(), sink, {}, &error));
    CHECK(error == "the capture is not of an a6xx");
    std::vector<uint8_t> damaged = packed;
    damaged[damaged.size() - 5] ^= 1;
    CHECK_FALSE(print_rd(damaged, sink, {}, &error));
    CHECK(error == "incorrect data check");
    CHECK_FALSE(print_rd({plain.data(), plain.size() - 1}, sink, {}, &error));
    CHECK(error == "the file ends within a section");
}

TEST_CASE("rd: buffers belong to the submission that follows them") {
    sim::RdWriter file = small_file();
    Stream other;
    other.opcode(hw::Pm4Opcode::CP_WAIT_FOR_ME);
    file.buffer(0x2000, other.bytes());
    file.submit(0x2000, 1);
    file.submit(0x100001000, 1);
    fields::StringSink sink;
    std::string error;
    CHECK(print_rd(file.file(), sink, {}, &error));
    CHECK(has(sink.text, "Submission 1: 1 dwords @0x2000\n  000002000  70138000  CP_WAIT_FOR_ME\n"));
    CHECK(has(sink.text, "Submission 2: 1 dwords @0x100001000\n  ! 100001000: unmapped\n"));
}

TEST_CASE("adreno decode: captures of our driver") {
    using terrazzo::capture::CaptureWriter;
    using terrazzo::capture::Vendor;
    const auto capture = [](Vendor vendor, uint32_t gpu_id, uint32_t chip_id) {
        Stream stream;
        stream.opcode(hw::Pm4Opcode::CP_WAIT_FOR_IDLE).word(0);
        char* data = nullptr;
        size_t size = 0;
        std::FILE* file = open_memstream(&data, &size);
        CaptureWriter writer(file);
        writer.chip(vendor, gpu_id, chip_id);
        writer.note("frame 1");
        writer.memory(0x1000, stream.bytes());
        writer.zeros(0x2000, 4);
        writer.submit(0x1000, 4, 1, {});
        writer.submit(0x2000, 4, 0, {});
        std::fclose(file);
        const std::vector<uint8_t> out(data, data + size);
        std::free(data);
        return out;
    };
    fields::StringSink sink;
    std::string error;
    Statistics statistics;
    const std::vector<uint8_t> file = capture(Vendor::Adreno, 630, 0x06030001);
    CHECK(print_capture(file, sink, {.statistics = &statistics}, &error));
    CHECK(sink.text ==
          "GPU: 630, chip 0x06030001\nNote: frame 1\nSubmission 0: queue 1, 1 dwords @0x1000\n"
          "  000001000  70268000  CP_WAIT_FOR_IDLE\nSubmission 1: queue 0, 1 dwords @0x2000\n"
          "  ! 000002000: 00000000 begins no packet; 1 dwords are passed over\n");
    CHECK(statistics.submissions == 2);
    CHECK(statistics.problems == 1);
    CHECK(print_capture(capture(Vendor::Adreno, 0, 0x06060001), sink, {}, &error));
    for (const auto& other : {capture(Vendor::Mali, 630, 0), capture(Vendor::Adreno, 730, 0x07030001)}) {
        CHECK_FALSE(print_capture(other, sink, {}, &error));
        CHECK(error == "the capture is not of an a6xx");
    }
    CHECK_FALSE(print_capture({file.data(), file.size() - 1}, sink, {}, &error));

    CHECK(file_kind(file) == FileKind::Capture);
    CHECK(file_kind(capture(Vendor::Mali, 0xa8670005, 0)) == FileKind::Other);
    CHECK(file_kind(small_file().file()) == FileKind::Rd);
    CHECK(file_kind(terrazzo::test::gzip(small_file().file())) == FileKind::Rd);
    CHECK(file_kind({}) == FileKind::Other);
    const std::string text = "#include <stdio.h>\nint main() { return 0; }\n";
    CHECK(file_kind({reinterpret_cast<const uint8_t*>(text.data()), text.size()}) == FileKind::Other);
}

}  // namespace terrazzo::adreno::decode
