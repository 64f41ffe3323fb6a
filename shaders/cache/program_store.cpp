// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/cache/program_store.h"

namespace terrazzo::shaders {

namespace {

struct Stores {
    std::mutex mutex;
    std::vector<std::shared_ptr<ProgramStore>> all;
};
/// Never destroyed: threads that compile may outlive main().
Stores& stores() {
    static Stores* const s = new Stores;
    return *s;
}

}  // namespace

void add_program_store(std::shared_ptr<ProgramStore> store) {
    const std::lock_guard lock(stores().mutex);
    stores().all.push_back(std::move(store));
}

void remove_program_store(const ProgramStore& store) {
    const std::lock_guard lock(stores().mutex);
    std::erase_if(stores().all, [&](const auto& s) { return s.get() == &store; });
}

std::vector<std::shared_ptr<ProgramStore>> program_stores() {
    const std::lock_guard lock(stores().mutex);
    return stores().all;
}

}  // namespace terrazzo::shaders
