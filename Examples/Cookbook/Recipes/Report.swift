import Foundation
import Trove

enum Report: Recipe {
    @Model
    struct Sale {
        #Index<Sale>([\.shop, \.day])
        var shop: String
        var day: Date
        var amount: Decimal
    }

    static let title = "sums, groups and values without making objects"
    static let printed = [
        "3 sales, 61.5 in all, the largest 40",
        "Paris: 2 sales, 21.5", "Rome: 1 sales, 40",
        "shops: Paris, Rome",
        "Paris, day by day: 20, 1.5",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Sale.self)
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        try store.save([
            Sale(shop: "Paris", day: start, amount: 20),
            Sale(shop: "Rome", day: start, amount: 40),
            Sale(shop: "Paris", day: start + 86_400, amount: Decimal(string: "1.5") ?? 0),
        ])
        let sales = store.fetch(Sale.self)

        let (count, sum, largest) = try sales.aggregate(.count, .sum(\.amount), .maximum(\.amount))
        print("\(count) sales, \(sum) in all, the largest \(largest ?? 0)")
        for group in try sales.grouped(by: \.shop).aggregate(.count, .sum(\.amount)) {
            let (count, sum) = group.values
            print("\(group.key): \(count) sales, \(sum)")
        }
        print("shops: \(try sales.distinct(\.shop).joined(separator: ", "))")
        let amounts = try sales.where { $0.shop == "Paris" }.sorted(by: \.day).select(\.amount).all()
        print("Paris, day by day: \(amounts.map(\.description).joined(separator: ", "))")
        try store.close()
    }
}
