// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// libb2's functions only fail for invalid sizes, which are not used here.
#include "shaders/digest.h"

namespace terrazzo::shaders {

Digest::Digest() {
    (void)blake2b_init(&state_, kDigest_B);
}

void Digest::add(std::span<const uint8_t> bytes) {
    if (!bytes.empty()) (void)blake2b_update(&state_, bytes.data(), bytes.size());
}

DigestBytes Digest::finish() {
    DigestBytes out;
    (void)blake2b_final(&state_, out.data(), out.size());
    return out;
}

DigestBytes digest_of(std::span<const uint8_t> bytes) {
    Digest digest;
    digest.add(bytes);
    return digest.finish();
}

}  // namespace terrazzo::shaders
