// SPDX-License-Identifier: GPL-2.0-or-later
// A program of somebody else's against the installed library: asks for a plan of a directory that is not there and wants the typed error for it.
#include <bootbudget/check.hpp>

#include <iostream>

namespace {

class Silent final : public bootbudget::Progress {
public:
    void step(const std::string &) override {}
    void advance(double, double, double) override {}
    void warn(const std::string &) override {}
};

}  // namespace

int main(int argc, char ** argv) {
    if (argc != 2) {
        return 2;
    }
    bootbudget::Request request;
    request.where = "/nonexistent/packages";
    request.policy = argv[1];
    Silent progress;
    try {
        bootbudget::plan(request, progress);
    } catch (const bootbudget::UserError & error) {
        std::cout << error.what() << '\n';
        return 0;
    }
    return 1;
}
