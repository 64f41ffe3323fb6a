// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texts of programs, and the mutator of targets that take them: words change places as the seeded program
// fuzz_shaders does it, or bytes as whoever runs the target does it.
#include "tests/fuzz/shader_pair.h"

#include <cstring>

#include "tests/fuzz/mutator.h"
#include "tests/fuzz/shaders.h"
#include "tests/fuzz/target.h"

namespace fuzz {

ShaderPair split_shaders(const uint8_t* data, size_t size) {
    constexpr std::string_view kDivider = "//---\n";
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    if (const size_t at = all.find(kDivider); at != all.npos)
        return {all.substr(0, at), all.substr(at + kDivider.size())};
    return pair_with(all, all.find("gl_Position") != all.npos);
}

}  // namespace fuzz

size_t fuzz_mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed) {
    // Half of the time what bytes can do.
    if (seed % 2) return fuzz::mutate_bytes(data, size, max_size);
    fuzz::Mutator mutator(seed, fuzz::kShaderSeeds);
    std::string text(reinterpret_cast<const char*>(data), size);
    mutator.mutate(&text);
    const size_t n = text.size() < max_size ? text.size() : max_size;
    std::memcpy(data, text.data(), n);
    return n;
}
