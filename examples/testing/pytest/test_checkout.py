CUSTOMER = "260763456789"


def test_a_customer_approves(malipo):
    malipo.take_phone(CUSTOMER)
    deposit_id = malipo.deposit(CUSTOMER)
    malipo.press(CUSTOMER, "approve")
    assert malipo.final(deposit_id)["status"] == "COMPLETED"


def test_a_customer_declines(malipo):
    malipo.take_phone(CUSTOMER)
    deposit_id = malipo.deposit(CUSTOMER)
    malipo.press(CUSTOMER, "decline")
    reason = malipo.final(deposit_id)["failureReason"]
    assert reason["failureCode"] == "PAYMENT_NOT_APPROVED"


def test_a_customer_has_too_little_money(malipo):
    reason = malipo.final(malipo.deposit("260763456049"))["failureReason"]
    assert reason["failureCode"] == "INSUFFICIENT_BALANCE"
