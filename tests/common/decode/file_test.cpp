// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/file.h"

#include <doctest/doctest.h>

#include <set>

#include "drivers/common/capture/capture.h"
#include "drivers/vendors/chips.h"
#include "drivers/vendors/decoders.h"
#include "drivers/vendors/list.h"

namespace terrazzo::decode {

namespace {

std::vector<uint8_t> capture_of(capture::Vendor vendor) {
    std::FILE* const file = std::tmpfile();
    REQUIRE(file);
    capture::CaptureWriter writer(file);
    writer.chip(vendor, 0, 0);
    REQUIRE(writer.ok());
    std::vector<uint8_t> bytes(size_t(std::ftell(file)));
    std::rewind(file);
    REQUIRE(std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size());
    std::fclose(file);
    return bytes;
}

}  // namespace

TEST_CASE("decode: rows of statistics are aligned") {
    fields::StringSink sink;
    print_count(sink, "draws", 12);
    print_count(sink, "instructions", 4294967296, "   34359738368 bytes");
    print_count(sink, "a name that is long", 12345678901);
    CHECK(sink.text ==
          "draws                 12\n"
          "instructions  4294967296   34359738368 bytes\n"
          "a name that is long12345678901\n");
}

TEST_CASE("decode: only the decoder of a capture's vendor accepts it") {
    std::set<capture::Vendor> vendors;
#define TERRAZZO_ROW(vendor) vendors.insert(vendor::sim::host_vendor().id);
    TERRAZZO_VENDORS(TERRAZZO_ROW)
#undef TERRAZZO_ROW
    CHECK(vendors.size() >= 2);
    for (const capture::Vendor of : vendors) {
        const std::vector<uint8_t> file = capture_of(of);
        unsigned takers = 0;
#define TERRAZZO_ROW(vendor)                                                                       \
    {                                                                                              \
        fields::StringSink out;                                                                    \
        std::string why;                                                                           \
        const bool taken = vendor::decode::decode_file(file, {}, out, &why) != Decoded::OtherFile; \
        CHECK(taken == (of == vendor::sim::host_vendor().id));                                     \
        CHECK_FALSE(vendor::decode::may_be_tools_file(file));                                      \
        takers += taken;                                                                           \
    }
        TERRAZZO_VENDORS(TERRAZZO_ROW)
#undef TERRAZZO_ROW
        CHECK(takers == 1);
    }
}

}  // namespace terrazzo::decode
