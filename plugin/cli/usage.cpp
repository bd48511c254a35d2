// SPDX-License-Identifier: GPL-2.0-or-later
// CLI11 keeps the words that it could not place. They say more than its first complaint, which for a misspelt command is that a command is missing, and
// which differs between its versions.
#include "usage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

namespace bootbudget::cli {

namespace {

constexpr std::size_t LONGEST_COMPARED = 64;

/// How many letters have to be added, removed or exchanged (Levenshtein), a row of the table at a time.
std::size_t distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t exchanged = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, exchanged});
        }
    }
    return row.back();
}

/// The candidate that `word` most likely stands for, empty if none is near.
std::string nearest(const std::string & word, const std::vector<std::string> & candidates) {
    if (word.size() > LONGEST_COMPARED) {
        return {};
    }
    std::string best;
    std::size_t least = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
    for (const auto & candidate : candidates) {
        if (const auto apart = distance(word, candidate); apart < least) {
            least = apart;
            best = candidate;
        }
    }
    return best;
}

/// The commands that were recognised, outermost (`app` itself) first.
std::vector<CLI::App *> recognised(CLI::App & app) {
    std::vector<CLI::App *> chain{&app};
    for (auto inner = app.get_subcommands(); !inner.empty(); inner = chain.back()->get_subcommands()) {
        chain.push_back(inner.front());
    }
    return chain;
}

/// "policy check", empty for the program itself.
std::string name_of(const std::vector<CLI::App *> & chain) {
    std::string name;
    for (std::size_t i = 1; i < chain.size(); ++i) {
        name += (name.empty() ? "" : " ") + chain[i]->get_name();
    }
    return name;
}

std::vector<std::string> command_names(CLI::App & app) {
    std::vector<std::string> names;
    for (const auto * command : app.get_subcommands([](const CLI::App *) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

std::vector<std::string> option_names(const std::vector<CLI::App *> & chain) {
    std::vector<std::string> names;
    for (auto * app : chain) {
        for (const auto * option : app->get_options()) {
            for (const auto & name : option->get_lnames()) {
                names.push_back("--" + name);
            }
        }
    }
    return names;
}

std::string unknown_option(const std::string & word, const std::vector<CLI::App *> & chain, const std::string & help) {
    const auto option = word.substr(0, word.find('='));
    const auto command = name_of(chain);
    const auto meant = option.starts_with("--") ? nearest(option, option_names(chain)) : std::string();
    const auto start = fmt::format("There is no option {}{}", option, command.empty() ? "" : " of " + command);
    return meant.empty() ? fmt::format("{}; {} lists them.", start, help)
                         : fmt::format("{}; did you mean {}?", start, meant);
}

std::string unknown_command(const std::string & word, const std::vector<CLI::App *> & chain, const std::string & help) {
    const auto outer = chain.size() > 1 ? name_of(chain) + " " : std::string();
    const auto meant = nearest(word, command_names(*chain.back()));
    return meant.empty() ? fmt::format("There is no command \"{}{}\"; {} lists the commands.", outer, word, help)
                         : fmt::format(
                               "There is no command \"{0}{1}\"; did you mean \"{0}{2}\"? {3} lists the commands.",
                               outer,
                               word,
                               meant,
                               help);
}

}  // namespace

std::string usage_mistake(CLI::App & app, const CLI::ParseError & error) {
    const auto chain = recognised(app);
    const auto command = name_of(chain);
    const auto help = fmt::format("bootbudget {}{}--help", command, command.empty() ? "" : " ");
    const auto names = command_names(*chain.back());
    const bool lacks = dynamic_cast<const CLI::RequiredError *>(&error) != nullptr;
    const bool has_more = dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr;
    const auto left = app.remaining(true);
    if ((lacks || has_more) && !left.empty()) {
        const auto is_option = [](const std::string & word) { return word.size() > 1 && word[0] == '-'; };
        // A word after an unknown option may be that option's value, so the option comes first; before a command is known it is the first word that counts.
        const auto option = std::ranges::find_if(left, is_option);
        if (option != left.end() && (names.empty() || option == left.begin())) {
            return unknown_option(*option, chain, help);
        }
        if (!names.empty()) {
            return unknown_command(left.front(), chain, help);
        }
        return fmt::format("{} does not take the further argument \"{}\"; see {}.", command, left.front(), help);
    }
    if (lacks && !names.empty()) {
        return fmt::format(
            "{} needs a command: {}; {} says what they do.",
            command.empty() ? "bootbudget" : command,
            fmt::join(names, ", "),
            help);
    }
    std::string text = error.what();
    while (!text.empty() && (text.back() == '.' || text.back() == '\n')) {
        text.pop_back();
    }
    return fmt::format("{}{}{}; see {}.", command, command.empty() ? "" : ": ", text, help);
}

}  // namespace bootbudget::cli
