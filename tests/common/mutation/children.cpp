// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/mutation/children.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace terrazzo::test {

bool Children::begin(Result result) {
    while (running_.size() >= most_)
        take_first();
    int pipes[2];
    if (::pipe(pipes) != 0) {
        lost_ = std::string("no pipe: ") + std::strerror(errno);
        return false;
    }
    // Otherwise the child would print the buffered output again.
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        for (const Child& c : running_)
            close(c.from);
        running_.clear();
        close(pipes[0]);
        to_ = pipes[1];
        return true;
    }
    close(pipes[1]);
    if (child < 0) {
        close(pipes[0]);
        lost_ = std::string("no process: ") + std::strerror(errno);
        return false;
    }
    running_.push_back({child, pipes[0], std::move(result)});
    return false;
}

void Children::end(const std::string& text) {
    // The last byte marks a complete text.
    const std::string all = text + "\n";
    for (size_t done = 0; done < all.size();) {
        const ssize_t n = write(to_, all.data() + done, all.size() - done);
        if (n <= 0) _exit(1);
        done += size_t(n);
    }
    _exit(0);
}

/// Returns one that has already written.
void Children::take_first() {
    std::vector<pollfd> files;
    for (const Child& c : running_)
        files.push_back({c.from, POLLIN, 0});
    while (poll(files.data(), nfds_t(files.size()), -1) < 0 && errno == EINTR) {
    }
    for (size_t i = 0; i < files.size(); ++i) {
        if (!files[i].revents) continue;
        const Child child = std::move(running_[i]);
        running_.erase(running_.begin() + std::ptrdiff_t(i));
        std::string text;
        char piece[4096];
        for (ssize_t n; (n = read(child.from, piece, sizeof piece)) > 0;)
            text.append(piece, size_t(n));
        close(child.from);
        int status = 0;
        waitpid(child.process, &status, 0);
        if (!text.empty() && text.back() == '\n') {
            text.pop_back();
            child.result(text);
        } else {
            lost_ = WIFSIGNALED(status)
                        ? std::string("a run without it ended by a signal: ") + strsignal(WTERMSIG(status))
                        : "a run without it ended without a word";
        }
        return;
    }
}

std::string Children::wait() {
    while (!running_.empty())
        take_first();
    return lost_;
}

}  // namespace terrazzo::test
