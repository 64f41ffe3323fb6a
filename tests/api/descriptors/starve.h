// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Too few file descriptors (EMFILE). A scene of calls runs in a child process that may open N more
// descriptors, for each N until nothing fails. The failing call must report an error, leave no descriptor
// open and change nothing. With descriptors again it must work, and so must all later calls.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace starve {

/// The number of open descriptors, without those that the virtual kernel closes later: ends of pipes, by
/// which it notices that all copies of a sync file are closed. This needs a descriptor itself, which it does
/// not count.
inline int count_fds() {
    int n = 0;
    for (int fd = 0; fd < 256; ++fd) {
        if (fcntl(fd, F_GETFD) < 0) continue;
        pollfd p{fd, 0, 0};
        n += poll(&p, 1, 0) <= 0 || !(p.revents & POLLERR);
    }
    return n;
}

/// The number of open descriptors, once it is `expected`, or after enough time for the virtual GPU to end its
/// work: only then memory that a call released is closed.
inline int settled_fds(int expected) {
    constexpr unsigned kMostChecks = 50, kPause_ms = 10;
    int n = count_fds();
    for (unsigned i = 0; i < kMostChecks && n != expected; ++i) {
        poll(nullptr, 0, kPause_ms);
        n = count_fds();
    }
    return n;
}

/// The child process' part.
class Hunger {
  public:
    explicit Hunger(int left) : left_(left) {}
    /// From now on only this many descriptors can be opened.
    void begin() {
        const rlimit limit{kMost, kMost};  // also the hard limit: it cannot be raised again
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0) std::abort();
        for (int fd; (fd = fcntl(2, F_DUPFD_CLOEXEC, 0)) >= 0;)
            fillers_.push_back(fd);
        for (int i = 0; i < left_ && !fillers_.empty(); ++i)
            drop();
    }
    ~Hunger() { end(); }
    Hunger(const Hunger&) = delete;
    Hunger& operator=(const Hunger&) = delete;

    /// Runs a call that may fail because of missing descriptors. `error`: the text of the error, empty if
    /// there was none.
    void call(const char* what, const std::function<bool()>& run, const std::function<std::string()>& error) {
        if (run()) return;
        const std::string text = error();
        if (fillers_.empty()) fail(what, "fails with descriptors left: " + text);
        if (text.empty()) fail(what, "failed without an error");
        // The first time the call may keep something: memory of a pool, a library. Memory that the virtual
        // GPU is about to release may be counted once. A leak grows each time.
        constexpr unsigned kRounds = 3;
        int before = count_fds(), after = before;
        for (unsigned round = 0; round < kRounds; ++round) {
            before = after;
            for (int i = 0; i < 3; ++i)
                if (run()) return;  // what was kept sufficed
            (void)error();
            if (after = settled_fds(before); after == before) break;
        }
        if (after != before)
            fail(what, "failed thrice, and left " + std::to_string(after - before) + " descriptors open");
        failed_ = what, error_ = text;
        end();
        if (!run()) fail(what, "failed (" + text + "), and with descriptors again: " + error());
    }
    /// The failures, for the parent; empty if none.
    [[nodiscard]] std::string failed() const { return failed_.empty() ? "" : failed_ + ": " + error_; }
    [[noreturn]] static void fail(const char* what, const std::string& why) {
        std::fprintf(stderr, "FAILED: %s %s\n", what, why.c_str());
        std::_Exit(1);
    }
    void end() {
        while (!fillers_.empty())
            drop();
    }

  private:
    static constexpr rlim_t kMost = 256;
    void drop() {
        close(fillers_.back());
        fillers_.pop_back();
    }
    const int left_;
    std::vector<int> fillers_;
    std::string failed_, error_;
};

/// Runs `scene` in a child process for N = 0, 1, ... until nothing fails. `judge`: the parent's check of the
/// child's work; may be empty. The number of descriptors that are open after a scene must always be the same.
/// Returns an exit status.
inline int for_each_limit(const std::function<void()>& prepare, const std::function<void(Hunger&)>& scene,
                          const std::function<bool()>& judge) {
    constexpr int kMostN = 120;
    constexpr unsigned kPatience_s = 120;
    int failures = 0, last_left = -1;
    bool bad = false;
    const char* const only = std::getenv("FEW_DESCRIPTORS");  // only this N, for debugging
    for (int n = only ? std::atoi(only) : 0; n < kMostN; ++n) {
        prepare();
        int report[2];
        if (pipe2(report, O_CLOEXEC) != 0) std::abort();
        const pid_t child = fork();
        if (child == 0) {
            alarm(kPatience_s);
            std::string text;
            {
                const int before = count_fds();
                Hunger hunger(n);
                scene(hunger);
                hunger.end();
                text = std::to_string(count_fds() - before) + " " + hunger.failed();
            }
            if (write(report[1], text.data(), text.size()) != ssize_t(text.size())) std::_Exit(2);
            std::_Exit(0);
        }
        close(report[1]);
        char text[512] = {};
        const ssize_t size = read(report[0], text, sizeof text - 1);
        close(report[0]);
        int status = 0;
        waitpid(child, &status, 0);
        const bool well = size > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        const char* what = text;
        const int left = well ? int(std::strtol(text, const_cast<char**>(&what), 10)) : 0;
        const bool told = well && std::string(what).size() > 1;
        std::printf("%3d left: %s\n", n, well ? told ? what + 1 : "nothing failed" : "DIED");
        std::fflush(stdout);
        if (!well) std::printf("FAILED: with %d descriptors left: status %#x\n", n, unsigned(status));
        if (well && last_left >= 0 && left != last_left)
            std::printf("FAILED: %d descriptors stay open, and %d before\n", left, last_left), bad = true;
        if (well) last_left = left;
        bad |= !well;
        if (well && judge && !judge()) bad = true;
        failures += told;
        if (only) return bad;
        if (well && !told) {
            std::printf("%d calls failed in turn; %d descriptors stay open\n", failures, left);
            return bad || failures == 0;
        }
    }
    std::printf("FAILED: there is no end\n");
    return 1;
}

}  // namespace starve
