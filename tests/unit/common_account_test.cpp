// SPDX-License-Identifier: GPL-2.0-or-later
// The choice of the account that boots: root's rules if these tests run as root, everybody else's if not.
#include "common/account.hpp"

#include "support/as_ordinary_user.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace bootbudget::common {
namespace {

class AccountForBoots : public testing::Test {
protected:
    void SetUp() override {
        unsetenv("SUDO_UID");
        unsetenv("SUDO_GID");
    }
    void TearDown() override { SetUp(); }
};

TEST(AccountNamed, KnowsNamesAndNumbers) {
    const Account nobody = account_named("nobody");
    EXPECT_NE(nobody.uid, 0U);
    EXPECT_EQ(nobody.name, "nobody");
    EXPECT_EQ(account_named(std::to_string(nobody.uid)), nobody);
    EXPECT_EQ(account_named("0").name, "root");
}

TEST(AccountNamed, RefusesStrangers) {
    for (const char * name : {"", "no such account", "4294967295", "99999999999", "-1", "1x", "4000000000"}) {
        try {
            account_named(name);
            FAIL() << name;
        } catch (const UserError & error) {
            EXPECT_THAT(error.what(), testing::HasSubstr(std::string("\"") + name + "\""));
        }
    }
}

TEST(CurrentAccount, IsThisProcess) {
    EXPECT_EQ(current_account().uid, geteuid());
    EXPECT_EQ(current_account().gid, getegid());
    EXPECT_FALSE(current_account().name.empty());
}

TEST_F(AccountForBoots, IsNeverRoot) {
    EXPECT_NE(account_for_boots("").uid, 0U);
    EXPECT_THROW(account_for_boots("root"), UserError);
    EXPECT_THROW(account_for_boots("0"), UserError);
    EXPECT_THROW(account_for_boots("no such account"), UserError);
    setenv("SUDO_UID", "0", 1);
    setenv("SUDO_GID", "0", 1);
    EXPECT_NE(account_for_boots("").uid, 0U);
}

TEST_F(AccountForBoots, OfRootIsTheCallerOfSudoElseNobody) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "not root: only root has a choice of accounts";
    }
    const Account nobody = account_named("nobody");
    EXPECT_EQ(account_for_boots(""), nobody);
    const Account daemon = account_named("daemon");
    EXPECT_EQ(account_for_boots("daemon"), daemon);

    setenv("SUDO_UID", std::to_string(daemon.uid).c_str(), 1);
    EXPECT_EQ(account_for_boots(""), daemon);
    EXPECT_EQ(account_for_boots("nobody"), nobody);
    setenv("SUDO_GID", "12345", 1);
    EXPECT_EQ(account_for_boots("").gid, 12345U);
    setenv("SUDO_UID", "54321", 1);  // in nobody's database, as in a container
    EXPECT_EQ(account_for_boots(""), (Account{54321, 12345, "uid 54321"}));
    setenv("SUDO_UID", "rubbish", 1);
    EXPECT_EQ(account_for_boots(""), nobody);
}

TEST_F(AccountForBoots, OfAUserIsHisOwn) {
    test::as_ordinary_user([] {
        EXPECT_EQ(account_for_boots(""), current_account());
        EXPECT_EQ(account_for_boots(std::to_string(geteuid())), current_account());
        EXPECT_THROW(account_for_boots("daemon"), UserError);
    });
}

TEST(GiveTo, DoesNotFollowLinks) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "not root: only root can give files away";
    }
    namespace fs = std::filesystem;
    std::string name = (fs::temp_directory_path() / "common_account_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    const fs::path directory = name;
    std::ofstream(directory / "target") << "x";
    fs::create_symlink("target", directory / "link");
    const Account nobody = account_named("nobody");

    give_to(directory / "link", nobody);
    struct stat status {};
    ASSERT_EQ(lstat((directory / "target").c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, 0U);
    ASSERT_EQ(lstat((directory / "link").c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, nobody.uid);

    give_to(directory / "target", nobody);
    ASSERT_EQ(lstat((directory / "target").c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, nobody.uid);
    EXPECT_EQ(status.st_gid, nobody.gid);

    EXPECT_THROW(give_to(directory / "missing", nobody), SystemError);
    EXPECT_NO_THROW(give_to(directory / "missing", current_account()));
    fs::remove_all(directory);
}

}  // namespace
}  // namespace bootbudget::common
