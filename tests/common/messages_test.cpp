// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/messages.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "drivers/common/units/refuse.h"

namespace terrazzo {
namespace {

using test::Messages;

}  // namespace

TEST_CASE("messages: messages of many threads are all kept, and can be read at the same time") {
    constexpr unsigned kThreads = 4, kMessages = 1000000;
    Messages messages;
    std::atomic<unsigned> ready = 0, running = kThreads;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kThreads; ++t)
        threads.emplace_back([&, log = messages.log()] {
            for (++ready; ready < kThreads;)  // they all write at the same time
                std::this_thread::yield();
            for (unsigned i = 0; i < kMessages; ++i)
                log(pipe::Severity::Info, "busy");
            --running;
        });
    for (size_t before = 0; running;) {
        const size_t now = messages.text().size();
        REQUIRE(now >= before);
        before = now;
    }
    for (std::thread& t : threads)
        t.join();
    const std::string all = messages.text();
    CHECK(std::count(all.begin(), all.end(), '\n') == kThreads * kMessages);
}

TEST_CASE("messages: less severe ones are left out") {
    Messages messages(pipe::Severity::Warning);
    messages.log()(pipe::Severity::Performance, "slow");
    CHECK(messages.empty());
    messages.log()(pipe::Severity::Error, "wrong");
    CHECK(messages == "wrong\n");
    CHECK(messages.has("wron"));
    messages.clear();
    CHECK(messages == "");
}

TEST_CASE("messages: a report's parts are texts, characters, integers and refused accesses") {
    std::string why;
    CHECK(!units::refuse(&why, "word ", 3u, ' ', std::string("of "), int64_t(-1), ": ",
                         host::hex_text(0x12ab)));
    CHECK(why == "word 3 of -1: 0x12ab");
    const window::AccessFault refused{.va = 0x1000, .size_B = 4};
    CHECK(host::text_of("a ", refused) == "a " + to_string(refused));
}

}  // namespace terrazzo
