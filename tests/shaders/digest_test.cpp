// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Expected values are from Python's hashlib.blake2b(data, digest_size=32), which agrees with RFC 7693's
// reference code.
#include "shaders/digest.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "shaders/cache/build_id.h"
#include "shaders/cache/cache.h"
#include "shaders/ir/binary.h"

using namespace terrazzo;
using shaders::Digest;
using shaders::DigestBytes;

namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string hex(const DigestBytes& bytes) {
    std::string out;
    for (const uint8_t b : bytes) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", b);
        out += digits;
    }
    return out;
}

}  // namespace

TEST_CASE("the digest is BLAKE2b-256") {
    CHECK(hex(shaders::digest_of({})) == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
    CHECK(hex(shaders::digest_of(bytes_of("abc"))) ==
          "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
    std::vector<uint8_t> many(1000);
    for (size_t i = 0; i < many.size(); ++i)
        many[i] = uint8_t(i);
    CHECK(hex(shaders::digest_of(many)) ==
          "c636324d47d89f2b2434dc2c994100663fbbaea880ff020fc5de89dd0f77a1ec");
    Digest pieces;
    for (size_t at = 0; at < many.size(); at += 129)
        pieces.add(std::span(many).subspan(at, std::min<size_t>(129, many.size() - at)));
    CHECK(pieces.finish() == shaders::digest_of(many));
}

TEST_CASE("the key of caches is the digest of all data") {
    CHECK(ir::hash_content(bytes_of("abc")) == shaders::digest_of(bytes_of("abc")));
    Digest d;
    const std::string build = shaders::compiler_build_id();
    for (const std::string_view part :
         {std::string_view(build), std::string_view("one"), std::string_view("two")}) {
        const uint64_t size_B = part.size();
        d.add({reinterpret_cast<const uint8_t*>(&size_B), sizeof size_B});
        d.add(bytes_of(part));
    }
    CHECK(shaders::CacheKey::of({"one", "two"}).bytes == d.finish());
}
