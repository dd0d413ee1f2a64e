import Foundation
import TestSupport
import Testing
import Trove
import TroveCrypto

@testable import TroveCLI

/// Stores that are encrypted, and properties that are.
@Suite struct EncryptionTests {
    private func fixture(_ engine: Engine) throws -> CommandFixture {
        let fixture = try CommandFixture(engine)
        try fixture.addEncryptedStores(engine)
        return fixture
    }

    private func run(_ fixture: CommandFixture, _ line: String) throws -> CommandFixture.Answer { try fixture.run(line, environment: CommandFixture.passphrases) }

    /// Every command reads an encrypted store as it reads a plain one.
    @Test(arguments: Engine.persistent) func aKeyOpensTheStore(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        for line in ["find X Song -o jsonl", "count X Song 'year = 1959'", "models X -o csv", "get X Song 1", "explain X notes \"title = 'Fjord'\" --dry -o csv", "bags list X -o csv", "blobs list X -o csv"] {
            let plain = try run(fixture, "trove \(line.replacing("X", with: "music.store"))")
            let sealed = try run(fixture, "trove \(line.replacing("X", with: "sealed.store")) --passphrase-env MUSIC")
            #expect(plain.status == 0 && !plain.output.isEmpty && sealed == plain, "\(line)")
        }
        #expect(try run(fixture, "trove diff music.store sealed.store --passphrase-env MUSIC") == .init(status: 0, output: "", errors: ""))
        #expect(try run(fixture, "trove verify sealed.store --passphrase-env MUSIC").status == 0)
        #expect(try run(fixture, "printf 'so what\\nmore\\n' | trove count sealed.store Song --passphrase-file -").output == "4\n")
        #expect(try run(fixture, "printf 'so what\\nmore' > phrase; trove count sealed.store Song --passphrase-file phrase").output == "4\n")
        let told = try StoredValue(json: run(fixture, "trove info sealed.store --passphrase-env MUSIC").output)
        #expect(told.value(at: "encryption") == .string("everything"))
        #expect(try StoredValue(json: run(fixture, "trove info music.store").output).value(at: "encryption") == .string("nothing"))
    }

    /// Control-C ends the question for a passphrase, and the terminal shows again what is typed.
    @Test(.enabled(if: TypedTerminal.isAvailable), arguments: ["count sealed.store Song", "doctor sealed.store"])
    func aQuestionThatIsBrokenOffLeavesTheEcho(_ command: String) throws {
        let fixture = try fixture(.sqlite)
        let terminal = try fixture.terminal(#"sh -c 'trap : INT; trove \#(command); echo "status $?"; stty -a'"#)
        try terminal.wait(for: "Passphrase of sealed.store: ")
        try terminal.type("\u{3}", until: "status 130", " echo ")
        #expect(try terminal.waitForEnd() == .exit(0), "\(terminal.screen)")
    }

    @Test(arguments: Engine.persistent) func withoutTheRightKeyNothingOpens(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let before = try fixture.bytes(of: "sealed.store")
        // Digits, and none of those that a key is written with.
        try String(repeating: "０", count: 64).write(toFile: fixture.directory.file("wide.key"), atomically: true, encoding: .utf8)
        for (line, status, message) in [
            ("info sealed.store --key-file wide.key", 3, "a key is 32 bytes"), ("info sealed.store", 3, "is encrypted; give its key by --key-file"), ("info sealed.store --passphrase-env WARD", 3, "wrongKey"),
            ("info sealed.store --key-file music.key", 3, "wrongKey"), ("info sealed.store --passphrase-env NOTHING", 3, "has no variable 'NOTHING'"),
            ("info sealed.store --key-file nothing", 3, "'nothing' cannot be read"), ("info sealed.store --key-file sealed.store", 3, "a key is 32 bytes"),
            ("info sealed.store --passphrase-file /dev/null", 3, "is empty"), ("info sealed.store --passphrase-env MUSIC --key-file music.key", 2, "one key opens a store"),
            ("blobs put sealed.store letter --passphrase-env MUSIC --key-file music.key --write", 2, "one key opens a store"),
            ("import copy.store music.key --create '\(engine.rawValue)' --passphrase-env MUSIC --key-file music.key --write", 2, "one key opens a store"),
            ("info music.store --passphrase-env MUSIC", 3, "is not encrypted; leave the key out"), ("info music.store --field-passphrase-env WARD", 3, "has no encrypted properties"),
            ("find ward.store Patient --field-passphrase-env MUSIC", 3, "wrongKey"), ("keys status music.store", 3, "is not encrypted, or only in properties"),
            ("copy sealed.store copy.store --passphrase-env MUSIC", 2, "its copy would not be"),
            ("keys add sealed.store --passphrase-env MUSIC --new-key-file music.key", 2, "'keys add' changes the store"),
        ] {
            let answer = try run(fixture, "trove \(line) < /dev/null")
            #expect(answer.status == Int32(status) && answer.output.isEmpty && answer.errors.contains(message), "\(line): \(answer)")
        }
        #expect(try fixture.bytes(of: "sealed.store") == before)
        #expect(try !fixture.files.contains("copy.store"))
    }

    @Test(arguments: Engine.persistent) func copiesAreSealedAndOpened(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        #expect(try run(fixture, "trove copy music.store a.store --engine lmdb --new-key-file music.key") == .init(status: 0, output: "", errors: ""))
        #expect(try run(fixture, "trove copy a.store b.store --engine sqlite --key-file music.key --plain") == .init(status: 0, output: "", errors: ""))
        #expect(try run(fixture, "trove diff music.store b.store").status == 0)
        #expect(try run(fixture, "trove diff b.store a.store --key-file music.key").status == 0)
        #expect(try !fixture.bytes(of: "a.store").contains(Data("Autumn".utf8)) && fixture.bytes(of: "b.store").contains(Data("Autumn".utf8)))
        _ = try run(fixture, "trove export sealed.store all.jsonl --passphrase-env MUSIC")
        #expect(try run(fixture, "trove import c.store all.jsonl --create sqlite --write --key-file music.key").status == 0)
        #expect(try run(fixture, "trove diff sealed.store music.store --passphrase-env MUSIC").status == 0)
        #expect(try run(fixture, "trove count c.store Song --key-file music.key").output == "4\n")
        #expect(try run(fixture, "trove info c.store < /dev/null").status == 3)
    }

    @Test(arguments: Engine.persistent) func keysAreAddedChangedAndRemoved(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        func counts(_ key: String) throws -> [String: String] {
            let answer = try run(fixture, "trove keys status sealed.store \(key) -o csv")
            return Dictionary(CSVReader.rows(answer.output).map { ($0[0] ?? "", $0[2] ?? "") }, uniquingKeysWith: { first, _ in first })
        }
        #expect(try counts("--passphrase-env MUSIC")["keys and passphrases"] == "1")
        #expect(try run(fixture, "trove keys remove sealed.store --passphrase-env MUSIC --write").status == 1)
        #expect(try run(fixture, "trove keys add sealed.store --passphrase-env MUSIC --new-key-file music.key --write").status == 0)
        #expect(try counts("--key-file music.key")["keys and passphrases"] == "2")
        #expect(try run(fixture, "echo so what | trove keys remove sealed.store --passphrase-file - --write").status == 0)
        #expect(try run(fixture, "trove count sealed.store Song --passphrase-env MUSIC").status == 3)
        #expect(try run(fixture, "trove keys change sealed.store --key-file music.key --new-key-file records.key --write").status == 0)
        #expect(try run(fixture, "trove keys rotate sealed.store --key-file records.key --write").status == 0)
        #expect(try run(fixture, "trove count sealed.store Song --key-file records.key").output == "4\n")
        #expect(try counts("--key-file records.key")["values sealed with an earlier data key"] == nil)
    }

    @Test(arguments: Engine.persistent) func encryptedPropertiesAreShownWithTheirKey(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let without = try run(fixture, "trove find ward.store Patient 'id = 3' --select '$id,name' -o csv")
        #expect(without.output == "$id,name\n3,p3\n")
        let line = "trove find ward.store Patient \"insurance = 'Mutual 3'\" --select '$id,diagnosis,insurance' -o csv --field-passphrase-env WARD"
        #expect(try run(fixture, line).output == "$id,diagnosis,insurance\n3,flu,Mutual 3\n23,flu,Mutual 3\n")
        #expect(try run(fixture, "trove set ward.store Patient 3 diagnosis=cold --write --field-passphrase-env WARD").status == 0)
        #expect(try run(fixture, "trove count ward.store Patient \"diagnosis = 'cold'\" --field-passphrase-env WARD").output == "1\n")
        #expect(try StoredValue(json: run(fixture, "trove info ward.store").output).value(at: "encryption") == .string("2 properties"))
        let status = try CSVReader.rows(run(fixture, "trove keys status ward.store --field-passphrase-env WARD -o csv").output)
        #expect(status.contains(["keys and passphrases", nil, "1"]) && status.contains(["values not encrypted yet", "Patient.diagnosis", "0"]) == false)
        #expect(try run(fixture, "trove keys add ward.store --field-passphrase-env WARD --new-key-file music.key --write").status == 0)
        #expect(try run(fixture, "trove keys remove ward.store --field-passphrase-env WARD --write").status == 0)
        #expect(try run(fixture, "trove keys rotate ward.store --field-key-file music.key --write").status == 0)
        #expect(try run(fixture, "trove count ward.store Patient \"diagnosis = 'cold'\" --field-key-file music.key").output == "1\n")
        #expect(try run(fixture, "trove count ward.store Patient \"diagnosis = 'cold'\" --field-passphrase-env WARD").status == 3)
    }

    @Test(arguments: Engine.persistent) func withoutTheKeyOfPropertiesTheRestIsShownAndNothingChanged(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        for format in ["json", "jsonl"] {
            let answer = try run(fixture, "trove find ward.store Patient 'id = 3' -o \(format)")
            #expect(answer.status == 0 && answer.output.contains("\"name\":\"p3\"") && !answer.output.contains("diagnosis"), "\(format): \(answer)")
        }
        let refused = try run(fixture, "trove set ward.store Patient 3 name=x --write")
        #expect(refused.status == 3 && refused.errors.contains("--field-key-file") && !refused.errors.contains("missing"), "\(refused)")
        #expect(try run(fixture, "trove find ward.store Patient 'id = 3' --select name -o csv").output == "name\np3\n")
    }

    @Test(arguments: Engine.persistent) func anExportWithEncryptedPropertiesMakesANewStore(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        #expect(try run(fixture, "trove export ward.store ward.jsonl --field-passphrase-env WARD").status == 0)
        let without = try run(fixture, "trove import new.store ward.jsonl --create '\(engine.rawValue)' --write")
        #expect(without.status == 3 && without.errors.contains("--field-key-file"), "\(without)")
        let with = try run(fixture, "trove import new.store ward.jsonl --create '\(engine.rawValue)' --write --field-passphrase-env MUSIC")
        #expect(with.status == 0, "\(with)")
        #expect(try run(fixture, "trove find new.store Patient 'id = 3' --select diagnosis -o csv --field-passphrase-env MUSIC").output == "diagnosis\nflu\n")
        #expect(try run(fixture, "trove find new.store Patient 'id = 3' --select diagnosis -o csv --field-passphrase-env WARD").status == 3)
        #expect(try run(fixture, "trove info new.store").output.contains("properties"))
    }

    /// The counts against those of a dictionary over the objects.
    @Test(arguments: Engine.persistent) func leakageTellsWhatIndexesShow(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let rows = try CSVReader.rows(run(fixture, "trove leakage ward.store --field-passphrase-env WARD -o csv").output)
        #expect(rows[0] == ["model", "index", "shows", "entries", "hashes", "largest", "values", "warnings"])
        #expect(rows.count == 2 && Array(rows[1].prefix(4)) == ["Patient", "blind insurance", "hashes of 8 bits", "40"] && rows[1][6] == "20", "\(rows)")
        // Twenty values in 256 hashes: two of them may share one.
        #expect(rows[1][4].flatMap { Int($0) }.map { (12...20).contains($0) } == true && rows[1][5].flatMap { Int($0) }.map { $0 >= 2 } == true)
        #expect(try run(fixture, "trove leakage music.store").status == 1)
        #expect(try run(fixture, "trove leakage ward.store Nobody").status == 2)
    }
}
