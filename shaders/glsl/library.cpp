// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// In glslang 12, ShInitialize, SetupBuiltinSymbolTable and ShFinalize (ShaderLang.cpp) change state that all
// threads use. They lock a recursive mutex manually, and Debian's build has no landing pads: an exception
// that passes through leaves it locked.
#include "shaders/glsl/library.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <string>

#include "shaders/glsl/overloads.h"

namespace glslang {
void ReleaseGlobalLock();  // declared in osinclude.h, which is not installed
}

namespace terrazzo::shaders::glsl {

namespace {

constexpr int kVersions[] = {100, 300, 310, 320};

std::shared_mutex g_mutex;         // shared by compilations; exclusive while the process' tables change
bool g_begun = false;              // written under the exclusive lock
std::atomic<uint32_t> g_complete;  // a bit per version; written under the exclusive lock
thread_local const LibraryUse* t_current = nullptr;

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
    forget_overloads();
    g_begun = false;
    g_complete = 0;
}

}  // namespace

bool lines_continue(std::string_view text) {
    return text.find("\\\n") != text.npos || text.find("\\\r") != text.npos;
}

int plain_version(std::string_view source) {
    constexpr std::string_view kWord = "version", kLine = "#version ";
    const bool spliced = lines_continue(source);
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

LibraryUse::LibraryUse(const ParserText& text)
    : text_(text), version_(plain_version(text.text)), exceptions_(std::uncaught_exceptions()) {
    t_current = this;
    g_mutex.lock_shared();
    if ((g_complete & bit_of(version_)) && overloads_declared(version_, text_)) return;
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

const LibraryUse& LibraryUse::current() {
    return *t_current;
}

void LibraryUse::parsed(int version) {
    if (alone_ && version == version_) g_complete |= bit_of(version);
}

}  // namespace terrazzo::shaders::glsl
