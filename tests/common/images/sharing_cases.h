// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images that are shared with other processes or devices (drivers/common/images/vendor_resource.h), on any
// device.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/common/images/access_cases.h"

namespace terrazzo::test {

struct OwnDescriptor : pipe::SharedImage {
    ~OwnDescriptor() {
        if (fd >= 0) close(fd);
    }
};

/// For each modifier that the device offers for a format: an image with it reports it, and can be imported
/// again. Returns the number of modifiers.
inline unsigned check_modifiers(AccessScene& s) {
    namespace b = pipe::bind;
    unsigned count = 0;
    for (unsigned i = 1; i < pipe::kFormatCount; ++i) {
        const auto format = pipe::Format(i);
        CAPTURE(std::string(pipe::format_name(format)));
        const std::span<const pipe::Modifier> modifiers = s.screen->modifiers(format);
        const auto can = [&](uint32_t bind) {
            return s.screen->format_supported(format, pipe::ResourceKind::Tex2D, 1, b::kShared | bind);
        };
        CHECK(!modifiers.empty() == can(b::kSampled));
        if (modifiers.empty()) continue;
        CHECK(modifiers.back().value == pipe::kModifierLinear);
        for (const pipe::Modifier& m : modifiers) {
            CAPTURE(m.value);
            ++count;
            CHECK(m.sampled_only == !can(b::kSampled | b::kColor));
            pipe::ResourceDesc d;
            d.format = format;
            d.width = 130;
            d.height = 70;
            d.bind = b::kSampled | b::kShared;
            const uint64_t allowed[] = {m.value};
            const auto image = s.screen->create_shared_resource(d, allowed);
            REQUIRE(image);
            images::StoredResource& r = AccessScene::stored(*image);
            CHECK(!r.rename());
            OwnDescriptor shared;
            REQUIRE(s.screen->export_resource(*image, &shared));
            CHECK(shared.modifier == m.value);
            auto status = pipe::ImportStatus::Ok;
            const auto again = s.screen->import_resource(d, shared, &status);
            REQUIRE(again);
            CHECK(AccessScene::stored(*again).bo() == r.bo());
            CHECK(AccessScene::stored(*again).is_compressed() == r.is_compressed());
            const auto bytes = s.noise(*image, AccessScene::all_of(*image, 0));
            if (!r.is_compressed()) {
                AccessScene::write(*s.context, *image, 0, AccessScene::all_of(*image, 0), bytes);
                CHECK(AccessScene::read(*s.context, *again, 0, AccessScene::all_of(*again, 0)) == bytes);
            }
            using enum pipe::ImportStatus;
            const auto refused = [&](auto&& spoil) {
                pipe::ResourceDesc bad = d;
                pipe::SharedImage at = shared;
                spoil(bad, at);
                CHECK(!s.screen->import_resource(bad, at, &status));
                return status;
            };
            CHECK(refused([](auto&, auto& at) { at.modifier = 0x0100000000000001; }) == Modifier);
            CHECK(refused([](auto& desc, auto&) { desc.levels = 2; }) == Kind);
            CHECK(refused([](auto&, auto& at) { at.fd = -1; }) == NotShared);
            CHECK(refused([](auto&, auto& at) { at.offset_B += 4; }) == Offset);
            CHECK(refused([](auto& desc, auto&) { desc.height = 4000; }) == TooSmall);
            CHECK(refused([](auto&, auto& at) { at.stride_B = 64; }) == StrideTooSmall);
        }
    }
    s.messages.clear();
    return count;
}

/// Two resources with the same memory: work on one sees the earlier work on the other.
inline void check_memory_of_two(AccessScene& s) {
    pipe::ResourceDesc d;
    d.format = pipe::Format::R8G8B8A8_UNORM;
    d.width = d.height = 128;
    d.bind = pipe::bind::kSampled | pipe::bind::kColor;
    const auto memory = [&] {
        pipe::ResourceDesc all;
        all.format = d.format;
        all.width = 256;
        all.height = 512;
        all.bind = pipe::bind::kSampled | pipe::bind::kShared;
        return s.screen->create_resource(all);
    }();
    REQUIRE(memory);
    OwnDescriptor shared;
    REQUIRE(s.screen->export_resource(*memory, &shared));
    const uint64_t size_B = AccessScene::stored(*memory).layout.size_B;
    auto status = pipe::ImportStatus::Ok;
    const auto in = [&](uint64_t offset_B, uint64_t range_B) {
        return s.screen->create_resource_in(d, {shared.fd, offset_B, range_B}, &status);
    };
    const auto one = in(4096, size_B - 4096), other = in(4096, size_B - 4096);
    REQUIRE(one);
    REQUIRE(other);
    CHECK(!AccessScene::stored(*one).rename());
    CHECK(!in(4096 + 4, size_B - 8192));
    CHECK(status == pipe::ImportStatus::Offset);
    CHECK(!in(4096, 4096));
    CHECK(status == pipe::ImportStatus::TooSmall);
    CHECK(!in(size_B - 4096, 1 << 20));
    CHECK(status == pipe::ImportStatus::TooSmall);
    const auto from = s.image(d.format, 128, 128, pipe::bind::kSampled),
               out = s.image(d.format, 128, 128, pipe::bind::kSampled);
    const pipe::Box all = AccessScene::all_of(*from, 0);
    for (int i = 0; i < 3; ++i) {
        CAPTURE(i);
        const auto bytes = s.noise(*from, all);
        AccessScene::write(*s.context, *from, 0, all, bytes);
        AccessScene::copy(*s.context, *one, *from, 0);
        AccessScene::copy(*s.context, *out, *other, 0);
        CHECK(AccessScene::read(*s.context, *out, 0, all) == bytes);
        // The CPU writes through one resource, the device reads through the other.
        const pipe::Box box{8, 16, 0, 40, 20, 1};
        const auto part = s.noise(*from, box);
        auto want = bytes;
        AccessScene::put(*from, all, box, part, &want);
        AccessScene::write(*s.context, *other, 0, box, part);
        AccessScene::copy(*s.context, *out, *one, 0);
        CHECK(AccessScene::read(*s.context, *out, 0, all) == want);
    }
    CHECK(!AccessScene::stored(*one).is_compressed());
    CHECK(s.context->reset_status() == pipe::ResetStatus::None);
}

}  // namespace terrazzo::test
