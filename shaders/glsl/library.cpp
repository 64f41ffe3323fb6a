// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// In glslang 12, ShInitialize, SetupBuiltinSymbolTable and ShFinalize (ShaderLang.cpp) change state that all
// threads use. They lock a recursive mutex manually, and Debian's build has no landing pads: an exception
// that passes through leaves it locked.
#include "shaders/glsl/library.h"

#include <glslang/Public/ShaderLang.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <string>

namespace glslang {
void ReleaseGlobalLock();  // declared in osinclude.h, which is not installed
}

namespace terrazzo::shaders::glsl {

namespace {

constexpr int kVersions[] = {100, 300, 310, 320};

std::shared_mutex g_mutex;         // shared by compilations; exclusive while the process' tables change
bool g_begun = false;              // written under the exclusive lock
std::atomic<uint32_t> g_complete;  // a bit per version; written under the exclusive lock

uint32_t bit_of(int version) {
    const int* const at = std::find(std::begin(kVersions), std::end(kVersions), version);
    return at == std::end(kVersions) ? 0 : uint32_t(1) << (at - kVersions);
}

/// Resets glslang. What it has leaked cannot be freed.
void start_over() {
    // This thread holds the lock a few times at most. Unlocking a recursive lock that it does not hold has no
    // effect.
    for (int i = 0; i < 4; ++i)
        ::glslang::ReleaseGlobalLock();
    ::glslang::FinalizeProcess();
    g_begun = false;
    g_complete = 0;
}

}  // namespace

int plain_version(std::string_view source) {
    constexpr std::string_view kWord = "version", kLine = "#version ";
    const bool spliced = source.find("\\\n") != source.npos || source.find("\\\r") != source.npos;
    const size_t at = source.find(kWord);
    if (at == source.npos) return spliced ? 0 : 100;
    if (spliced || source.find(kWord, at + 1) != source.npos) return 0;
    const size_t begin = source.find_first_not_of(" \t\r\n");
    if (source.substr(begin, kLine.size()) != kLine) return 0;
    std::string_view rest = source.substr(begin + kLine.size());
    rest = rest.substr(0, rest.find_first_of("\r\n"));
    for (const int v : kVersions)
        if (rest == std::to_string(v) + (v == 100 ? "" : " es")) return v;
    return 0;
}

LibraryUse::LibraryUse(std::string_view source)
    : version_(plain_version(source)), exceptions_(std::uncaught_exceptions()) {
    g_mutex.lock_shared();
    if (g_complete & bit_of(version_)) return;
    g_mutex.unlock_shared();
    g_mutex.lock();
    alone_ = true;
    begin();
}

void LibraryUse::begin() {
    if (g_begun) return;
    try {
        g_begun = ok_ = ::glslang::InitializeProcess();
    } catch (...) {
        start_over();
        g_mutex.unlock();
        throw;
    }
}

LibraryUse::~LibraryUse() {
    if (!alone_) {
        g_mutex.unlock_shared();
        return;
    }
    if (std::uncaught_exceptions() > exceptions_) start_over();
    g_mutex.unlock();
}

void LibraryUse::parsed(int version) {
    if (alone_ && version == version_) g_complete |= bit_of(version);
}

}  // namespace terrazzo::shaders::glsl
