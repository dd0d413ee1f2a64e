import Trove
import TroveStoreTools

/// All bags.
struct BagsPage: InspectorPage {
    private static let shown = 500

    private let request: PageRequest
    private let bags: [(name: String?, id: ObjectID, count: Int)]
    private let total: Int

    let title = "Bags"
    let section = PageSection.bags

    init(_ request: PageRequest) throws {
        self.request = request
        let all = try request.store.bags()
        total = all.count
        bags = all.prefix(Self.shown).map { ($0.name, $0.id, $0.count) }
    }

    func body() throws -> HTML {
        if bags.isEmpty { return "<p class=\"note\">The store has no bags.</p>\(request.jsonLink)" }
        var table = HTMLTable(["name", "$id", "members"])
        for bag in bags {
            let link = request.link("/bag", [("id", bag.id.description)])
            table.add([
                "<a href=\"\(link)\">\(try ValueText.cell.html(bag.name.map { .string($0) }))</a>", "<span class=\"number\">\(bag.id.description)</span>",
                "<span class=\"number\">\(bag.count.grouped)</span>",
            ])
        }
        let more: HTML? = total > bags.count ? "<p class=\"note\">The first \(bags.count) of \(total.grouped).</p>" : nil
        return "\(table.html)\(more)\(request.jsonLink)"
    }

    func json() throws -> JSONAnswer {
        .object([
            ("count", .number(total)),
            ("bags", .array(bags.map { .object([("name", .text($0.name)), ("id", .value(.objectID($0.id))), ("members", .number($0.count))]) })),
        ])
    }
}

/// The members of one bag, in their order.
struct BagPage: InspectorPage {
    private struct Member {
        let model: String
        let id: StoredValue
        let isStored: Bool
    }

    private let request: PageRequest
    private let id: ObjectID
    private let count: Int
    private let start: Int
    private let members: [Member]

    let title: String
    let section = PageSection.bags

    init(_ request: PageRequest) throws {
        self.request = request
        let size = request.site.limits.rows
        guard let id = ObjectID(try request.required("id")) else { throw HTTPRefusal(400, "'id' is no id of a bag") }
        let start = request.fields["from"].map { Int($0) ?? -1 } ?? 0
        guard start >= 0 else { throw HTTPRefusal(400, "'from' is a number of at least 0") }
        self.id = id
        self.start = start
        let (name, count, members) = try request.store.read { transaction in
            guard let bag = try transaction.bag(id: id) else { throw HTTPRefusal(404, "there is no such bag") }
            let models = try StoreModels(transaction)
            let members = try bag.members.dropFirst(start).prefix(size).map { reference in
                let isKnown = models.all.contains { $0.name == reference.modelName }
                return Member(
                    model: reference.modelName, id: try models.id(of: reference),
                    isStored: try isKnown && transaction.storedRecord(of: reference.modelName, key: reference.keyBytes) != nil)
            }
            return (bag.name, bag.count, members)
        }
        (self.count, self.members) = (count, members)
        title = name ?? "Bag \(id)"
    }

    func body() throws -> HTML {
        var table = HTMLTable(["position", "model", "object"])
        for (place, member) in members.enumerated() {
            let text = try ValueText.cell.html(member.id)
            table.add([
                "<span class=\"number\">\(start + place)</span>", "<bdi>\(member.model)</bdi>",
                member.isStored
                    ? "<a href=\"\(try request.link(to: member.id, of: member.model))\">\(text)</a>"
                    : "<span class=\"bad\">\(text), which is not stored</span>",
            ])
        }
        let end = start + members.count
        let next: HTML? =
            end < count ? "<div class=\"row\"><a class=\"button\" href=\"\(request.link(changing: [("from", String(end))]))\">Next page</a></div>" : nil
        return "<p class=\"note\">\(StoreFacts.counted(count, "member")).</p>\(members.isEmpty ? HTML.empty : table.html)\(next)\(request.jsonLink)"
    }

    func json() throws -> JSONAnswer {
        .object([
            ("id", .value(.objectID(id))), ("count", .number(count)), ("from", .number(start)),
            ("members", .array(members.map { .object([("model", .text($0.model)), ("id", .value($0.id)), ("isStored", .flag($0.isStored))]) })),
        ])
    }
}
